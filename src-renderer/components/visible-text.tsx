import { visibleParts } from '../visible.ts';
import styles from './visible-text.module.css';

/** Foreign text on a page: hidden characters stand as marked escapes, directions are contained. */
export function VisibleText({ text }: { text: string }) {
  const parts = visibleParts(text);
  return (
    <bdi className={styles.text} dir="ltr">
      {parts.map((part, index) =>
        part.kind === 'plain' ? (
          part.text
        ) : (
          // Pieces of one text never move, so their place is their key.
          // eslint-disable-next-line react/no-array-index-key
          <span key={index} className={styles.hidden} title={part.name}>
            {part.escape}
          </span>
        ),
      )}
    </bdi>
  );
}
