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
  const { file: words, flags } = reviewText;
  const kinds = [...new Set(review.flags.flatMap((f) => (f.path === file.path ? [f.kind] : [])))];
  return (
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
      <h3 className={styles.filePath} title={name}>
        <FilePath path={file.path} />
      </h3>
      {file.oldPath !== null && file.oldPath !== file.path && (
        <span className={styles.oldPath} title={visibleLine(file.oldPath)}>
          <VisibleText text={words.from(visibleLine(file.oldPath))} />
        </span>
      )}
      {file.status !== 'modified' && (
        <Pill tone={file.status === 'deleted' ? 'warn' : 'plain'}>{words.status[file.status]}</Pill>
      )}
      {kinds.slice(0, MOST_TAGS).map((kind) => (
        <Pill key={kind} tone="warn">
          <Icon name="flag" />
          {flags.tag[kind]}
        </Pill>
      ))}
      <span className={styles.grow} />
      {file.insertions !== null && (
        <Changes insertions={file.insertions} deletions={file.deletions} />
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
