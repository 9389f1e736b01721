import type { RunReport } from '../../../src-main/contract/index.ts';
import { useNow } from '../../components/figures.tsx';
import { Progress } from '../../components/progress.tsx';
import { formatDuration } from '../../format.ts';
import { runText } from '../../text/en/run.ts';
import styles from './evaluations.module.css';

const SECOND_MS = 1_000;

/** How far a run is that goes on, and how long it still takes. */
export function RunProgress({ report }: { report: RunReport }) {
  if (report.summary.state !== 'running') return null;
  return <Bar report={report} />;
}

function Bar({ report: { summary, timeLeft } }: { report: RunReport }) {
  const { progress: words } = runText;
  const now = useNow(SECOND_MS);
  const { total, graded, infra, running } = summary.cells;
  const done = graded + infra;
  const gone = timeLeft === null ? 0 : Math.max(0, now - timeLeft.at);
  const left = (seconds: number) => formatDuration(Math.max(0, seconds * 1_000 - gone));
  const figures = [
    ...(running > 0 ? [words.running(running)] : []),
    timeLeft === null
      ? words.leftUnknown
      : words.left(left(timeLeft.likely), left(timeLeft.low), left(timeLeft.high)),
  ];
  return (
    <div className={styles.progress}>
      <Progress
        words={words.words(done, total)}
        share={total === 0 ? null : done / total}
        figures={figures.join(' · ')}
      />
    </div>
  );
}
