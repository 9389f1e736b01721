import { Changes } from '../../../components/figures.tsx';
import { Icon } from '../../../components/icon.tsx';
import { type Column, VirtualGrid } from '../../../components/list/virtual-grid.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import type { ReviewFile } from '../../../../src-main/contract/index.ts';
import { reviewText } from '../../../text/en/review.ts';
import { visibleLine } from '../../../visible.ts';
import { FilePath } from '../list/file-path.tsx';
import { useReviewView } from '../review-context.ts';
import styles from '../review.module.css';
import { fileDecision } from '../totals.ts';
import type { GoProps } from './flag-list.tsx';

interface Line {
  file: ReviewFile;
  index: number;
  flags: number;
}

/** The files of the patch, each a way to its changes. */
export function FileList({ onGo }: GoProps) {
  const { review } = useReviewView();
  const flags = Map.groupBy(review.flags, ({ path }) => path);
  const lines = review.files.map((file, index) => ({
    ...{ file, index },
    flags: flags.get(file.path)?.length ?? 0,
  }));
  return (
    <VirtualGrid<Line>
      label={reviewText.fileList.label}
      items={lines}
      keyOf={({ index }) => String(index)}
      columns={COLUMNS}
      rowRem={1.875}
      onOpen={({ index }) => onGo(index)}
    />
  );
}

const COLUMNS: Array<Column<Line>> = [
  {
    id: 'decision',
    header: reviewText.fileList.decision,
    width: '1rem',
    render: ({ file }) => {
      const decision = fileDecision(file);
      return decision === 'mixed' ? (
        <StateMark shapeOnly kind="check" state="unknown" words={reviewText.decide.mixed} />
      ) : (
        <StateMark shapeOnly kind="decision" state={decision} />
      );
    },
  },
  {
    id: 'path',
    header: reviewText.fileList.path,
    width: 'minmax(0, 1fr)',
    render: ({ file }) => (
      <span className={styles.listPath} title={visibleLine(file.path)}>
        <FilePath path={file.path} />
        {file.status !== 'modified' && (
          <span className={styles.soft}>{reviewText.file.status[file.status]}</span>
        )}
      </span>
    ),
  },
  {
    id: 'flags',
    header: reviewText.flags.label,
    width: '2rem',
    render: ({ flags }) =>
      flags === 0 ? null : (
        <span className={styles.flagCount} title={reviewText.flags.title(flags)}>
          <Icon name="flag" /> {flags}
        </span>
      ),
  },
  {
    id: 'changes',
    header: reviewText.changes,
    width: '4.5rem',
    align: 'end',
    render: ({ file }) =>
      file.insertions === null ? null : (
        <Changes insertions={file.insertions} deletions={file.deletions} />
      ),
  },
];
