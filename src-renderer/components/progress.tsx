import { Label, ProgressBar } from 'react-aria-components';
import { formatShare } from '../format.ts';
import styles from './progress.module.css';

export interface ProgressProps {
  /** What is being done, or what is measured. */
  words: string;
  /** 0 to 1; `null` = it goes on, nobody knows how far. */
  share: number | null;
  /** Figures behind the bar; the share in percent when left out. */
  figures?: string;
}

/** A bar that never stands without words. */
export function Progress({ words, share, figures }: ProgressProps) {
  const known = share === null ? null : Math.min(1, Math.max(0, share));
  return (
    <ProgressBar
      className={styles.progress ?? ''}
      value={(known ?? 0) * 100}
      isIndeterminate={known === null}
      valueLabel={figures ?? formatShare(known)}
    >
      <div className={styles.words}>
        <Label>{words}</Label>
        {(figures !== undefined || known !== null) && (
          <span className={styles.figures}>{figures ?? formatShare(known)}</span>
        )}
      </div>
      <div className={styles.track}>
        <div
          className={known === null ? styles.going : styles.done}
          style={known === null ? {} : { width: `${known * 100}%` }}
        />
      </div>
    </ProgressBar>
  );
}

export interface BarPart {
  id: string;
  words: string;
  value: number;
  /** Colour of the charts, 1 to 5. */
  colour: 1 | 2 | 3 | 4 | 5;
}

/** What a whole is made of, e.g. memory; every part is named below the bar. */
export function PartsBar(props: {
  label: string;
  parts: BarPart[];
  whole: number;
  format: (value: number) => string;
}) {
  const sum = props.parts.reduce((total, { value }) => total + value, 0);
  const whole = Math.max(props.whole, sum, Number.MIN_VALUE);
  return (
    <figure className={styles.parts} aria-label={props.label}>
      <div className={styles.partsTrack} aria-hidden="true">
        {props.parts.map(({ id, value, colour }) => (
          <div
            key={id}
            style={{ width: `${(value / whole) * 100}%`, background: `var(--chart-${colour})` }}
          />
        ))}
        {sum > props.whole && (
          <div className={styles.limit} style={{ left: `${(props.whole / whole) * 100}%` }} />
        )}
      </div>
      <ul className={styles.legend}>
        {props.parts.map(({ id, words, value, colour }) => (
          <li key={id}>
            <span className={styles.swatch} style={{ background: `var(--chart-${colour})` }} />
            {words} <span className="numbers">{props.format(value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
