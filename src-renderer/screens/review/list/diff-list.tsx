import { type RefObject, useImperativeHandle, useMemo, useRef } from 'react';
import { reviewText } from '../../../text/en/review.ts';
import { newLineOf } from '../patch/read-file.ts';
import { useReviewView } from '../review-context.ts';
import { AboutFile } from './about-file.tsx';
import { Chunk } from './chunk.tsx';
import { type Cursor, rowOfCursor } from './cursor.ts';
import styles from './diff.module.css';
import { FileHead } from './file-head.tsx';
import { HunkHead } from './hunk-head.tsx';
import { RemarkCards } from './remark-cards.tsx';
import { type Row, rowOfLine } from './rows.ts';
import { type FileRemarks, remarksOf } from './remarks.ts';
import { useDiffRows } from './use-diff-rows.ts';

export interface DiffListHandle {
  /** Brings a place into sight and puts the focus on its head. */
  goTo: (cursor: Cursor) => void;
  goToLine: (file: number, line: number | null) => void;
}

/** The changes of all files below each other. */
export function DiffList({
  rows,
  handle,
}: {
  rows: Row[];
  handle: RefObject<DiffListHandle | null>;
}) {
  const view = useReviewView();
  const scroller = useRef<HTMLDivElement>(null);
  const { virtualizer, stuck } = useDiffRows(rows, scroller, view.cursor);
  const remarks = useMemo(() => remarksOf(view.review, view.draft), [view.review, view.draft]);
  useWays(handle, { rows, scroller, virtualizer, mark: view.mark });
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="region"
      aria-label={reviewText.changes}
      // It scrolls, so the keyboard has to reach it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const isStuck = index === stuck;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-file={row.file}
              className={isStuck ? styles.stuck : styles.row}
              style={isStuck ? undefined : { transform: `translateY(${start}px)` }}
            >
              <RowContent row={row} remarks={remarks.get(row.file)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface List {
  rows: readonly Row[];
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: ReturnType<typeof useDiffRows>['virtualizer'];
  mark: (cursor: Cursor) => void;
}

/** Offers the ways through the list to what stands around it. */
function useWays(
  handle: RefObject<DiffListHandle | null>,
  { rows, scroller, virtualizer, mark }: List,
): void {
  useImperativeHandle(handle, () => ({
    goTo(cursor) {
      mark(cursor);
      const index = rowOfCursor(rows, cursor);
      if (index === -1) return;
      if (cursor.line === null) {
        virtualizer.scrollToIndex(index, {
          align: rows[index]?.kind === 'file' ? 'start' : 'auto',
        });
      }
      afterDrawing(() => {
        reveal(scroller.current, cursor);
        if (cursor.unit === null) toTop(scroller.current, cursor.file);
      });
    },
    goToLine(file, line) {
      mark({ file, unit: null, line: null });
      const index = rowOfLine(rows, file, line);
      if (index === -1) return;
      virtualizer.scrollToIndex(index, { align: 'start' });
      if (line === null) afterDrawing(() => toTop(scroller.current, file));
      else {
        afterDrawing(() => {
          scroller.current
            ?.querySelector(`[data-file="${file}"] [data-change-key="I${line}"]`)
            ?.scrollIntoView({ block: 'center' });
        });
      }
    },
  }));
}

function RowContent({ row, remarks }: { row: Row; remarks: FileRemarks | undefined }) {
  switch (row.kind) {
    case 'file':
      return <FileHead index={row.file} />;
    case 'about':
      return <AboutFile index={row.file} remarks={remarks} />;
    case 'hunk':
      return <HunkHead row={row} />;
    case 'lines':
      return <Chunk row={row} remarks={remarks} />;
    case 'said':
      return <Said row={row} remarks={remarks} />;
  }
}

/** Words in the place of lines; remarks to those are there all the same. */
function Said(props: { row: Extract<Row, { kind: 'said' }>; remarks: FileRemarks | undefined }) {
  const { row, remarks } = props;
  const path = useReviewView().review.files[row.file]?.path ?? '';
  const lines = row.hunk?.changes.map(newLineOf) ?? [];
  return (
    <>
      <p className={styles.said}>
        {row.said === 'reading' ? reviewText.file.reading : reviewText.file.spaceOnly}
      </p>
      {lines.map((line) => {
        const own = line === null ? undefined : remarks?.get(line);
        if (own === undefined) return null;
        return <RemarkCards key={line} path={path} line={line} remarks={own} />;
      })}
    </>
  );
}

/** Two frames: one that scrolls, one that draws what came into sight. */
function afterDrawing(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}

function reveal(scroller: HTMLElement | null, { file, unit, line }: Cursor): void {
  const head = scroller?.querySelector<HTMLElement>(`[data-stop="${unit ?? `file ${file}`}"]`);
  head?.focus({ preventScroll: true });
  if (line === null) return;
  scroller
    ?.querySelector(`[data-file="${file}"] [data-change-key="${line}"]`)
    ?.scrollIntoView({ block: 'nearest' });
}

/** The head of a file takes the place of the one before it, which other rows leave free. */
function toTop(scroller: HTMLElement | null, file: number): void {
  const head = scroller?.querySelector(`[data-stop="file ${file}"]`);
  if (scroller === null || head === null || head === undefined) return;
  scroller.scrollTop += head.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}
