import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import type { Flag } from '../list/rows.ts';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';

/** Seen without asking; the rest is a press away. */
const FEW = 2;
/** Never more at once: a hostile patch could raise thousands. */
const MOST = 200;

export interface GoProps {
  onGo: (file: number, line?: number | null) => void;
}

/** Everything worth a second look, each a way to its line. */
export function FlagList({ onGo }: GoProps) {
  const { review } = useReviewView();
  const [all, setAll] = useState(false);
  const { flags: words } = reviewText;
  const { flags } = review;
  if (flags.length === 0) return null;
  // One more costs less room than a button that shows it.
  const few = flags.length > FEW + 1 ? FEW : flags.length;
  const shown = flags.slice(0, all ? MOST : few);
  const fileAt = new Map(review.files.map(({ path }, index) => [path, index]));
  return (
    <section className={styles.flags} aria-label={words.title(flags.length)}>
      <ul className={styles.flagRows}>
        {shown.map((flag, index) => (
          // eslint-disable-next-line react/no-array-index-key -- flags of a patch never move
          <FlagRow key={index} flag={flag} file={fileAt.get(flag.path)} onGo={onGo} />
        ))}
      </ul>
      {flags.length > few && (
        <Button small variant="quiet" className={styles.more ?? ''} onPress={() => setAll(!all)}>
          {all ? words.fewer : words.more(Math.min(flags.length, MOST) - few)}
        </Button>
      )}
    </section>
  );
}

function FlagRow({ flag, file, onGo }: GoProps & { flag: Flag; file: number | undefined }) {
  const { flags: words } = reviewText;
  const path = visibleLine(flag.path);
  const place = flag.line === null ? path : words.atLine(path, flag.line);
  return (
    <li className={styles.flagRow}>
      <Icon name="flag" />
      <span className={styles.flagWords}>
        {file === undefined ? (
          <span className={styles.place}>{place}</span>
        ) : (
          <button
            type="button"
            className={styles.place}
            title={place}
            onClick={() => onGo(file, flag.line)}
          >
            {place}
          </button>
        )}
        <b>{words.tag[flag.kind]}</b>
        <span className="cut" title={visibleLine(flag.detail)}>
          <VisibleText text={flag.detail} />
        </span>
        {!flag.exported && <span className={styles.soft}>{words.notExported}</span>}
      </span>
    </li>
  );
}
