import type { ReactNode } from 'react';
import styles from './key-value.module.css';

export interface Fact {
  key: string;
  value: ReactNode;
}

/** Facts as a list of terms; in a row (heads of screens) or one below the other. */
export function KeyValue({ facts, row = false }: { facts: Fact[]; row?: boolean }) {
  return (
    <dl className={row ? styles.row : styles.list}>
      {facts.map(({ key, value }) => (
        <div key={key} className={styles.fact}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
