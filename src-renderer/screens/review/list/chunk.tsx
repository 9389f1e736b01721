import { memo, type ReactNode, useMemo } from 'react';
import { Diff, type HunkData, Hunk as DrawnHunk, type GutterOptions } from 'react-diff-view';
import type { ReviewFile } from '../../../../src-main/contract/index.ts';
import { classes } from '../../../components/classes.ts';
import { reviewText } from '../../../text/en/review.ts';
import { keyOf, newLineOf } from '../patch/read-file.ts';
import { useReviewView } from '../review-context.ts';
import styles from './diff.module.css';
import { renderLineToken } from './line-token.tsx';
import type { FileRemarks } from './remarks.ts';
import { RemarkCards } from './remark-cards.tsx';
import type { Row } from './rows.ts';
import { useTokens } from './use-tokens.ts';

type LinesRow = Extract<Row, { kind: 'lines' }>;

/** Some lines of a hunk as a table, with the remarks to them. */
export const Chunk = memo(function Chunk(props: {
  row: LinesRow;
  remarks: FileRemarks | undefined;
}) {
  const { row, remarks } = props;
  const { review, split, cursor, mark, setDraft, showLine } = useReviewView();
  const file = review.files[row.file];
  const path = file?.path ?? '';
  const tokens = useTokens(row.changes, path);
  const hunks = useMemo(() => [drawnHunk(row)], [row]);
  const widgets = useWidgets(row, path, remarks);
  const selected = cursor?.unit === row.unit && cursor.file === row.file ? cursor.line : null;
  const selectedChanges = useMemo(() => (selected === null ? [] : [selected]), [selected]);
  const drawing = useMemo(
    () => ({
      renderToken: renderLineToken(showLine),
      renderGutter: (options: GutterOptions) => (
        <Gutter options={options} onNote={(line) => setDraft({ path, line, id: null })} />
      ),
      codeEvents: {
        onClick: ({ change }: { change: HunkData['changes'][number] | null }) => {
          if (change !== null) mark({ file: row.file, unit: row.unit, line: keyOf(change) });
        },
      },
    }),
    [showLine, setDraft, mark, path, row.file, row.unit],
  );
  const oneSide = sideClass(file?.status);
  return (
    <Diff
      viewType={split && oneSide === undefined ? 'split' : 'unified'}
      diffType="modify"
      hunks={hunks}
      tokens={tokens}
      widgets={widgets}
      selectedChanges={selectedChanges}
      className={classes(styles.table, oneSide)}
      {...drawing}
    >
      {drawHunks}
    </Diff>
  );
});

function sideClass(status: ReviewFile['status'] | undefined): string | undefined {
  if (status === 'added') return styles.onlyNew;
  return status === 'deleted' ? styles.onlyOld : undefined;
}

function drawHunks(hunks: HunkData[]) {
  return hunks.map((hunk) => <DrawnHunk key={hunk.content} hunk={hunk} />);
}

/** The library asks for numbers that it does not use for drawing. */
function drawnHunk({ changes, key }: LinesRow): HunkData {
  const lines = changes.length;
  return {
    content: key,
    oldStart: 0,
    newStart: 0,
    ...{ oldLines: lines, newLines: lines, changes },
  };
}

function useWidgets(
  row: LinesRow,
  path: string,
  remarks: FileRemarks | undefined,
): Record<string, ReactNode> {
  return useMemo(() => {
    const widgets: Record<string, ReactNode> = {};
    if (remarks === undefined) return widgets;
    for (const change of row.changes) {
      const line = newLineOf(change);
      const here = line === null ? undefined : remarks.get(line);
      if (here !== undefined) {
        widgets[keyOf(change)] = <RemarkCards path={path} line={line} remarks={here} />;
      }
    }
    return widgets;
  }, [row.changes, path, remarks]);
}

/** Line numbers; the one of the new file is a button that opens a note. */
function Gutter(props: { options: GutterOptions; onNote: (line: number) => void }) {
  const { change, side } = props.options;
  if (change.type === 'normal' && side === 'old') return change.oldLineNumber;
  const line = side === 'new' ? newLineOf(change) : null;
  if (line === null) {
    return change.type === 'delete' && side === 'old' ? change.lineNumber : null;
  }
  return (
    <button
      type="button"
      className={styles.number}
      // Reached by the keyboard with the key for notes; a stop for each line would be too many.
      tabIndex={-1}
      aria-label={reviewText.lines.note(line)}
      onClick={() => props.onNote(line)}
    >
      {line}
    </button>
  );
}
