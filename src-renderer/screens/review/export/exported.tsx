import { Banner } from '../../../components/notes.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../review.module.css';

export interface ExportedProps {
  files: readonly string[];
  command: string | null;
  /** What stands before the command. */
  words?: string;
  /** There should be a command: where there is none, the reason is said. */
  isPatch?: boolean;
}

/** Files that were written, and the line that applies them. */
export function Exported(props: ExportedProps) {
  const { files, command, words = reviewText.export.command, isPatch = false } = props;
  return (
    <>
      {files.length > 0 && (
        <>
          <StateMark kind="check" state="ok" words={reviewText.export.wrote(files.length)} />
          <ul className={styles.written}>
            {files.map((file) => (
              <li key={file}>
                <VisibleText text={visibleLine(file)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {command === null && isPatch && (
        <Banner tone="info">
          <p>{reviewText.export.noCommand}</p>
        </Banner>
      )}
      {command !== null && (
        <div className={styles.command}>
          <span>{words}</span>
          <code aria-label={reviewText.export.commandLabel}>
            <VisibleText text={command} />
          </code>
          <CopyButton text={command} label={reviewText.export.copyCommand} />
        </div>
      )}
    </>
  );
}
