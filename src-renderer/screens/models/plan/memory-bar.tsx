import { formatSize } from '../../../format.ts';
import { planText } from '../../../text/en/model-server.ts';
import styles from './plan.module.css';
import type { PlanBar } from './plan-parts.ts';

/** Estimated memory by part, against what is free. */
export function MemoryBar({ bar }: { bar: PlanBar }) {
  const { parts, freeBytes, overBytes, wholeBytes, availableBytes } = bar;
  const share = (bytes: number) => `${(bytes / wholeBytes) * 100}%`;
  return (
    <figure className={styles.bar} aria-label={planText.bar}>
      <div className={styles.track} aria-hidden="true">
        {parts.map(({ id, bytes, colour }) => (
          <div
            key={id}
            className={styles.segment}
            style={{ width: share(bytes), background: `var(--chart-${colour})` }}
          />
        ))}
        {overBytes > 0 && (
          <div
            className={styles.over}
            style={{ left: share(availableBytes), width: share(overBytes) }}
          />
        )}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ id, bytes, colour }) => (
          <li key={id}>
            <span className={styles.swatch} style={{ background: `var(--chart-${colour})` }} />
            <span>{planText.parts[id]}</span>
            <b className="numbers">{formatSize(bytes)}</b>
          </li>
        ))}
        <li>
          <span
            className={overBytes > 0 ? `${styles.swatch} ${styles.overSwatch}` : styles.freeSwatch}
          />
          <span>{overBytes > 0 ? planText.parts.over : planText.parts.free}</span>
          <b className="numbers">{formatSize(overBytes > 0 ? overBytes : freeBytes)}</b>
        </li>
      </ul>
    </figure>
  );
}
