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
  const kinds = new Set(own.map(({ kind }) => kind).filter((kind) => kind !== said));
  const [first] = kinds;
  const more = kinds.size - 1;
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
        <span className={styles.status}>
          <Pill tone={file.status === 'deleted' ? 'warn' : 'plain'}>
            {words.status[file.status]}
          </Pill>
        </span>
      )}
      {first !== undefined && (
        <span className={styles.tag}>
          <Pill tone="warn" title={detailsOf(own)}>
            <Icon name="flag" />
            <span className="cut">{flags.tag[first]}</span>
            {more > 0 && <span>{flags.also(more)}</span>}
          </Pill>
        </span>
      )}
    </>
  );
}

/** What they say, for the pointer; the list at the top has them for everybody. */
function detailsOf(flags: readonly Flag[]): string {
  return flags
    .slice(0, MOST_DETAILS)
    .map(({ kind, detail }) => `${reviewText.flags.tag[kind]}: ${visibleLine(detail)}`)
    .join('\n');
}

const MOST_DETAILS = 12;
