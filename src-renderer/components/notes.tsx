import type { ReactNode } from 'react';
import { errorFacts } from '../api/call-error.ts';
import { componentsText } from '../text/en/components.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './notes.module.css';
import { Remedy } from './remedy.tsx';
import { StateMark } from './state-mark.tsx';
import { VisibleText } from './visible-text.tsx';

/** A failure: its cause, what to do next, and its stable code. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, message, next } = errorFacts(error);
  return (
    <div className={styles.error} role="alert">
      <Icon name="warning" />
      <div className={styles.words}>
        <p>
          <VisibleText text={message} />
        </p>
        {next !== '' && (
          <p>
            <b>{componentsText.errorNext}</b> <Remedy text={next} />
          </p>
        )}
        <p className={styles.code}>{componentsText.errorCode(code)}</p>
      </div>
      {onRetry !== undefined && (
        <Button small icon="retry" onPress={onRetry}>
          {componentsText.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** Work that goes on, always in words. */
export function Loading({ children }: { children: string }) {
  return (
    <div className={styles.loading} role="status">
      <StateMark kind="session" state="running" words={children} />
    </div>
  );
}

export interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** What this place is for, and how something gets here. */
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} className={styles.emptyIcon ?? ''} />
      <h2>{title}</h2>
      <div className={styles.emptyWords}>{children}</div>
      {action}
    </div>
  );
}

/** A remark that stands above what it is about. */
export function Banner(props: {
  tone: 'info' | 'warn' | 'bad';
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={`${styles.banner} ${styles[props.tone]}`}
      role={props.tone === 'info' ? 'note' : 'status'}
    >
      <Icon name={props.tone === 'info' ? 'info' : 'warning'} />
      <div className={styles.words}>{props.children}</div>
      {props.action}
    </div>
  );
}
