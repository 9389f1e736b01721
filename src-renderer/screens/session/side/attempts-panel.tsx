import { useMemo } from 'react';
import { EXIT_REASONS } from '../../../../src-main/contract/index.ts';
import { Bars, Sparkline } from '../../../components/chart/sparkline.tsx';
import { Changes, Duration, FileSize } from '../../../components/figures.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { EmptyState } from '../../../components/notes.tsx';
import { Pill } from '../../../components/pill.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatShare, formatSize, formatTokens } from '../../../format.ts';
import { formatPlace } from '../../../navigation.ts';
import { sessionText } from '../../../text/en/session.ts';
import {
  type ComparedAttempt,
  comparedAttempts,
  type Scales,
  scalesOf,
} from '../record/attempts-compared.ts';
import { attemptState } from '../record/attempt-state.ts';
import { useRecordView, useSessionView } from '../session-view.ts';
import styles from './attempts-panel.module.css';
import { barsOf, newest } from './chart-strip.tsx';

const { attemptsTable: words } = sessionText;

/** All attempts side by side: one column each, so that figures stand beside each other. */
export default function AttemptsPanel() {
  const { got, attempt: shown } = useSessionView();
  const { events } = useRecordView();
  const compared = useMemo(() => comparedAttempts(got.result, events), [got.result, events]);
  const scales = useMemo(() => scalesOf(compared), [compared]);
  if (compared.length === 0) {
    return (
      <EmptyState icon="retry" title={words.none}>
        {words.noneWords}
      </EmptyState>
    );
  }
  return (
    <div className={styles.panel}>
      <DataTable<Fact>
        caption={words.caption}
        rows={FACTS}
        keyOf={({ name }) => name}
        columns={[
          { id: 'fact', header: words.attempt, render: ({ name }) => name },
          ...compared.map((one) => ({
            id: one.attempt.attemptId,
            header: <Head {...one} isShown={one.attempt.attemptId === shown?.attemptId} />,
            render: ({ render }: Fact) => render(one, scales),
          })),
        ]}
      />
    </div>
  );
}

function Head({ attempt, isResult, isShown }: ComparedAttempt & { isShown: boolean }) {
  const { place } = useSessionView();
  return (
    <span className={styles.head}>
      <a
        href={formatPlace({ ...place, attempt: attempt.number, step: null })}
        aria-current={isShown ? 'true' : undefined}
        title={words.show(attempt.number)}
      >
        {words.open(attempt.number)}
      </a>
      {isResult && <Pill tone="ok">{words.isResult}</Pill>}
    </span>
  );
}

interface Fact {
  name: string;
  render: (compared: ComparedAttempt, scales: Scales) => React.ReactNode;
}

const FACTS: Fact[] = [
  { name: words.state, render: (one) => <Ending {...one} /> },
  { name: words.patch, render: (one) => <Patch {...one} /> },
  { name: words.verified, render: (one) => <Tests {...one} /> },
  { name: words.seed, render: ({ attempt }) => attempt.seed },
  { name: words.steps, render: ({ attempt }) => attempt.steps },
  {
    name: words.time,
    render: ({ attempt }) => <Duration ms={attempt.seconds.total * 1000} />,
  },
  { name: words.stepTimes, render: (one, scales) => <StepTimes {...one} scales={scales} /> },
  { name: words.context, render: (one, scales) => <Context {...one} scales={scales} /> },
  { name: words.memory, render: (one, scales) => <Memory {...one} scales={scales} /> },
  {
    name: words.peak,
    render: ({ attempt }) => <FileSize bytes={attempt.peakMemoryBytes} />,
  },
  {
    name: words.tokens,
    render: ({ attempt: { tokens } }) =>
      words.inOut(formatTokens(tokens.prompt), formatTokens(tokens.completion)),
  },
  {
    name: words.cached,
    render: ({ attempt: { tokens } }) => formatShare(cachedShare(tokens)),
  },
];

function Ending({ attempt, patch }: ComparedAttempt) {
  const { exitReason, detail } = attempt;
  return (
    <>
      <StateMark
        kind="session"
        state={attemptState(attempt, patch !== null && patch.blob !== null)}
      />
      {exitReason !== null && <p className={styles.soft}>{EXIT_REASONS[exitReason]}</p>}
      {detail !== null && detail !== '' && (
        <p className={styles.detail}>
          <VisibleText text={detail} />
        </p>
      )}
    </>
  );
}

function Patch({ attempt, patch }: ComparedAttempt) {
  const { place } = useSessionView();
  if (patch === null || patch.blob === null) {
    return (
      <span className={styles.soft}>
        {attempt.exitReason === null ? words.patchLater : words.noPatch}
      </span>
    );
  }
  const at = formatPlace({ ...place, attempt: attempt.number, tab: 'review', step: null });
  return (
    <>
      <a href={at}>{words.files(patch.files.length)}</a>{' '}
      <Changes insertions={patch.insertions} deletions={patch.deletions} />
      {patch.flags.length > 0 && <p className={styles.soft}>{words.flags(patch.flags.length)}</p>}
    </>
  );
}

function Tests({ attempt: { verified }, verification }: ComparedAttempt) {
  const said = words.verifiedWords[verified === null ? 'none' : verified ? 'yes' : 'no'];
  if (verification === null || verification.after.tests.length === 0) return said;
  const { after, fixed, regressions } = verification;
  const passing = after.tests.filter(({ status }) => status === 'passed').length;
  return (
    <>
      {said}
      <p className={styles.soft}>
        {words.tests(passing, after.tests.length, fixed.length, regressions.length)}
      </p>
    </>
  );
}

type ChartProps = ComparedAttempt & { scales: Scales };

function StepTimes({ series: { seconds }, scales }: ChartProps) {
  if (seconds.model.length === 0) return <NoFigures />;
  return (
    <div className={styles.chart}>
      <Bars
        bars={barsOf(seconds)}
        colours={[1, 2, 3]}
        max={scales.seconds}
        label={words.stepTimes}
      />
    </div>
  );
}

function Context({ series: { context }, scales }: ChartProps) {
  const last = newest(context);
  if (last === null) return <NoFigures />;
  return (
    <div className={styles.chart}>
      <Sparkline values={context} max={scales.contextTokens} label={words.context} />
      <span className="numbers">{formatTokens(last)}</span>
    </div>
  );
}

function Memory({ series: { memory }, scales }: ChartProps) {
  const last = newest(memory.workspace);
  if (last === null) return <NoFigures />;
  return (
    <div className={styles.chart}>
      <Sparkline
        values={memory.workspace}
        colour={2}
        max={scales.workspaceBytes}
        label={words.memory}
      />
      <span className="numbers">{formatSize(last)}</span>
    </div>
  );
}

function NoFigures() {
  return <span className={styles.soft}>{words.noFigures}</span>;
}

function cachedShare({ prompt, cached }: ComparedAttempt['attempt']['tokens']): number | null {
  return prompt === null || prompt === 0 || cached === null ? null : cached / prompt;
}
