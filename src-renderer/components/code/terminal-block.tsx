import type { ReactNode } from 'react';
import { formatDuration, formatSize } from '../../format.ts';
import { componentsText } from '../../text/en/components.ts';
import { withoutTerminalCodes } from '../../visible.ts';
import { CopyButton } from '../copy-button.tsx';
import { StateMark } from '../state-mark.tsx';
import { VisibleText } from '../visible-text.tsx';
import { CodeBlock } from './code-block.tsx';
import styles from './terminal-block.module.css';

export interface TerminalOutput {
  stream: 'out' | 'err';
  text: string;
  /** Bytes between this part and the next that the record does not show here. */
  omittedBytes?: number;
}

export interface TerminalBlockProps {
  command: string;
  outputs: TerminalOutput[];
  /** `null` while it runs, or when a signal ended it. */
  exitCode: number | null;
  signal?: string | null;
  timedOut?: boolean;
  outOfMemory?: boolean;
  /** While it runs: the time until now. */
  durationMs: number | null;
  running?: boolean;
  limit?: number | null;
  actions?: ReactNode;
}

/** A command as a terminal shows it, with how it ended in words. */
export function TerminalBlock(props: TerminalBlockProps) {
  const outputs = props.outputs.filter(({ text }) => text !== '');
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span className={styles.prompt} aria-hidden="true">
          $
        </span>
        <code className={styles.command}>
          <VisibleText text={props.command} />
        </code>
        <Ending {...props} />
        <CopyButton text={props.command} />
        {props.actions}
      </figcaption>
      {outputs.map(({ stream, text, omittedBytes }, index) => (
        // eslint-disable-next-line react/no-array-index-key -- parts of one output never move
        <div key={index} className={styles.part}>
          {stream === 'err' && <div className={styles.stream}>{componentsText.standardError}</div>}
          <CodeBlock
            text={withoutTerminalCodes(text)}
            limit={props.limit === undefined ? 24 : props.limit}
            label={stream === 'err' ? componentsText.standardError : componentsText.output}
          />
          {omittedBytes !== undefined && omittedBytes > 0 && (
            <div className={styles.stream}>{componentsText.omitted(formatSize(omittedBytes))}</div>
          )}
        </div>
      ))}
      {outputs.length === 0 && props.running !== true && (
        <div className={styles.stream}>{componentsText.noOutput}</div>
      )}
    </figure>
  );
}

function Ending(props: TerminalBlockProps) {
  const time = formatDuration(props.durationMs);
  if (props.running === true) {
    return <StateMark kind="session" state="running" words={componentsText.runningFor(time)} />;
  }
  const passed = props.exitCode === 0 && props.timedOut !== true;
  return (
    <>
      <StateMark kind="test" state={passed ? 'passed' : 'failed'} words={endingWords(props)} />
      {props.durationMs !== null && <span className={styles.time}>{time}</span>}
    </>
  );
}

function endingWords({ exitCode, signal, timedOut, outOfMemory }: TerminalBlockProps): string {
  if (timedOut === true) return componentsText.timedOut;
  if (outOfMemory === true) return componentsText.outOfMemory;
  if (exitCode !== null) return componentsText.exitCode(exitCode);
  return componentsText.signal(signal ?? '?');
}
