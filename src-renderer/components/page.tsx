import type { ReactNode } from 'react';
import styles from './page.module.css';

export interface PageProps {
  title: ReactNode;
  /** A row of facts below the title. */
  facts?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** `fill`: the children scroll by themselves (lists, panes); `prose`: the page scrolls, with a readable width. */
  body?: 'fill' | 'prose';
  children: ReactNode;
}

/** The frame of a screen: its heading, and the area below. */
export function Page({ title, facts, actions, body = 'fill', children }: PageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {facts !== undefined && <div className={styles.facts}>{facts}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={body === 'fill' ? styles.fill : styles.prose}>{children}</div>
    </div>
  );
}

/** A part of a page with a heading. */
export function Section(props: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}
