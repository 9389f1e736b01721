import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';

const MOST = 200;

/** Files that changed and are not part of the patch, with the reason of each. */
export function LeftOut() {
  const { leftOut } = useReviewView().review;
  const { leftOut: words } = reviewText;
  if (leftOut.length === 0) return null;
  return (
    <details className={styles.leftOut}>
      <summary>{words.title(leftOut.length)}</summary>
      <ul>
        {leftOut.slice(0, MOST).map(({ path, reason }) => (
          <li key={path}>
            <span className="mono">
              <VisibleText text={visibleLine(path)} />
            </span>{' '}
            <span className={styles.soft}>
              <VisibleText text={reason} />
            </span>
          </li>
        ))}
        {leftOut.length > MOST && <li>{words.more(leftOut.length - MOST)}</li>}
      </ul>
    </details>
  );
}
