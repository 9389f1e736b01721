import type { RunSummary } from '../../../../src-main/contract/index.ts';
import { Age, Count } from '../../../components/figures.tsx';
import type { Column } from '../../../components/list/column.ts';
import { VirtualGrid } from '../../../components/list/virtual-grid.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { useServices } from '../../../services.ts';
import { evaluationsText } from '../../../text/en/evaluations.ts';
import { visibleLine } from '../../../visible.ts';
import { useWide } from '../../use-wide.ts';
import styles from '../evaluations.module.css';
import { formatPercent, solvedShare } from '../figures.ts';
import { IntervalBar } from '../interval-bar.tsx';

const SHARE = [0, 1] as const;
/** Below this, some figures give their place to the name. */
const USUAL_REM = 62;
const WHEN_USUAL: ReadonlySet<string> = new Set(['size', 'aside']);

/** All runs, newest first. */
export function RunList({ runs }: { runs: readonly RunSummary[] }) {
  const { navigate } = useServices();
  const usual = useWide(USUAL_REM);
  return (
    <VirtualGrid
      label={evaluationsText.list}
      showHeader
      items={runs}
      keyOf={({ runId }) => runId}
      columns={columnsOf(usual)}
      rowRem={2.875}
      onOpen={({ runId }) => navigate({ screen: 'evaluation', run: runId })}
    />
  );
}

function columnsOf(usual: boolean): Array<Column<RunSummary>> {
  const { columns } = evaluationsText;
  const all: Array<Column<RunSummary>> = [
    {
      ...{ id: 'state', header: columns.state, width: '6.5rem' },
      render: ({ state }) => <StateMark kind="run" state={state} />,
    },
    {
      ...{
        id: 'name',
        header: columns.name,
        width: usual ? 'minmax(9rem, 1fr)' : 'minmax(0, 1fr)',
      },
      render: (run) => <Name run={run} />,
    },
    {
      ...{ id: 'size', header: columns.size, width: '5.75rem', align: 'end' },
      render: ({ tasks, seeds }) => (
        <span className="numbers">{evaluationsText.size(tasks, seeds)}</span>
      ),
    },
    {
      ...{ id: 'progress', header: columns.progress, width: '6.5rem', align: 'end' },
      render: ({ cells }) => (
        <span className="numbers">{evaluationsText.of(cells.graded, cells.total)}</span>
      ),
    },
    {
      ...{ id: 'solved', header: columns.solved, width: usual ? '15rem' : '4rem' },
      render: (run) => <Solved run={run} usual={usual} />,
    },
    {
      ...{ id: 'aside', header: columns.aside, width: '4.5rem', align: 'end' },
      render: ({ cells }) =>
        cells.infra === 0 ? (
          <span className={styles.soft}>{evaluationsText.none}</span>
        ) : (
          <Count value={cells.infra} />
        ),
    },
    {
      ...{ id: 'age', header: columns.age, width: '5.5rem', align: 'end' },
      render: ({ createdAt }) => <Age at={createdAt} />,
    },
  ];
  return usual ? all : all.filter(({ id }) => !WHEN_USUAL.has(id));
}

function Name({ run }: { run: RunSummary }) {
  const entries = run.entries.map(visibleLine).join(', ');
  return (
    <div className={styles.name}>
      <span className="cut">{visibleLine(run.name)}</span>
      <span className={styles.under} title={entries}>
        {entries}
      </span>
    </div>
  );
}

/** The unit stands once, behind the end of the interval. */
function bare(share: number | null): string {
  return ((share ?? 0) * 100).toFixed(1);
}

function Solved({ run, usual }: { run: RunSummary; usual: boolean }) {
  const share = solvedShare(run);
  if (share === null) return <span className={styles.soft}>{evaluationsText.none}</span>;
  const { value, low, high } = share;
  const words = evaluationsText.interval(bare(low), formatPercent(high));
  return (
    <span
      className={styles.solved}
      title={evaluationsText.solvedTitle(run.cells.resolved, run.cells.graded)}
    >
      <b className="numbers">{formatPercent(value)}</b>
      {usual && (
        <>
          <IntervalBar range={SHARE} interval={share} />
          <span className={styles.range}>{words}</span>
        </>
      )}
    </span>
  );
}
