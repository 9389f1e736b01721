import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './pill.module.css';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info';

/** A short fact in a rounded frame. Its tone repeats what its words say. */
export function Pill(props: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classes(styles.pill, styles[props.tone ?? 'plain'])} title={props.title}>
      {props.children}
    </span>
  );
}
