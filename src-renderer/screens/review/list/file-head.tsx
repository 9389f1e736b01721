import type { ReviewFile } from '../../../../src-main/contract/index.ts';
import { IconButton } from '../../../components/button.tsx';
import { classes } from '../../../components/classes.ts';
import { Changes } from '../../../components/figures.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Pill } from '../../../components/pill.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { useReviewView } from '../review-context.ts';
import { fileDecision } from '../totals.ts';
import { DecideButtons } from './decide-buttons.tsx';
import styles from './diff.module.css';
import { FilePath } from './file-path.tsx';
import type { Flag } from './rows.ts';

/** Kinds of flags named beside a file; all are in the list at the top. */
const MOST_TAGS = 2;

/** A file of the patch: where it is, what happens to it, and what was decided. */
export function FileHead({ index }: { index: number }) {
  const { review, folded, fold, cursor, mark, decide, setDraft } = useReviewView();
  const file = review.files[index];
  if (file === undefined) return null;
  const name = visibleLine(file.path);
  const isFolded = folded.has(index);
  const isMarked = cursor?.file === index && cursor.unit === null;
  const decision = fileDecision(file);
  const { file: words } = reviewText;
  return (
    // It only marks where the focus is.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes(styles.fileHead, isMarked && styles.marked)}
      role="group"
      aria-label={words.label(name)}
      aria-current={isMarked ? 'true' : undefined}
      data-stop={`file ${index}`}
      tabIndex={-1}
      onFocus={() => mark({ file: index, unit: null, line: null })}
    >
      <IconButton
        icon={isFolded ? 'chevronRight' : 'chevronDown'}
        label={isFolded ? words.unfold(name) : words.fold(name)}
        aria-expanded={!isFolded}
        className={styles.tool ?? ''}
        onPress={() => fold(index, !isFolded)}
      />
      <FileNames file={file} />
      <span className={styles.grow} />
      {file.insertions !== null && (
        <span className={styles.count}>
          <Changes insertions={file.insertions} deletions={file.deletions} />
        </span>
      )}
      <IconButton
        icon="note"
        label={words.note}
        className={styles.tool ?? ''}
        onPress={() => setDraft({ path: file.path, line: null, id: null })}
      />
      <DecideButtons
        decision={decision}
        labels={{
          accepted: reviewText.decide.acceptFile(name),
          rejected: reviewText.decide.rejectFile(name),
          open: reviewText.decide.undoFile(name),
        }}
        onDecide={(next) => decide([String(index)], next)}
      />
    </div>
  );
}

/** Where it is and was, what happens to it, and why it is worth a look. */
function FileNames({ file }: { file: ReviewFile }) {
  const { review } = useReviewView();
  const { file: words, flags } = reviewText;
  const name = visibleLine(file.path);
  const own = review.flags.filter(({ path }) => path === file.path);
  const said = file.status === 'deleted' ? 'deleted' : null;
  const kinds = [...new Set(own.map(({ kind }) => kind))].filter((kind) => kind !== said);
  return (
    <>
      <h2 className={styles.filePath} title={name}>
        <FilePath path={file.path} />
      </h2>
      {file.oldPath !== null && file.oldPath !== file.path && (
        <span className={styles.oldPath} title={visibleLine(file.oldPath)}>
          <VisibleText text={words.from(visibleLine(file.oldPath))} />
        </span>
      )}
      {file.status !== 'modified' && (
        <Pill tone={file.status === 'deleted' ? 'warn' : 'plain'}>{words.status[file.status]}</Pill>
      )}
      {kinds.slice(0, MOST_TAGS).map((kind) => (
        <Pill key={kind} tone="warn" title={detailsOf(own, kind)}>
          <Icon name="flag" />
          {flags.tag[kind]}
        </Pill>
      ))}
    </>
  );
}

function detailsOf(flags: readonly Flag[], kind: Flag['kind']): string {
  return flags
    .filter((flag) => flag.kind === kind)
    .map(({ detail }) => visibleLine(detail))
    .join('\n');
}
