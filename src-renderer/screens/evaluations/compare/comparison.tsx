import { useState } from 'react';
import type { ComparisonRow } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { KeyValue } from '../../../components/key-value.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import styles from '../evaluations.module.css';
import { formatP, formatPoints } from '../figures.ts';
import { IntervalBar } from '../interval-bar.tsx';
import { cellsHref } from '../run-place.ts';

const BOTH_WAYS = [-1, 1] as const;
const FIRST_TASKS = 20;

/** The difference with its interval and its test, in a sentence, and every task that changed sides. */
export function Comparison({ run, comparison }: { run: string; comparison: ComparisonRow }) {
  const { compare: words } = runText;
  const { difference, better, worse, same } = comparison;
  const interval = words.interval(formatPoints(difference.low), formatPoints(difference.high));
  return (
    <div className={styles.comparison}>
      <p className={styles.sentence}>
        <VisibleText text={comparison.sentence} />
      </p>
      <div className={styles.score} role="group" aria-label={words.axis}>
        <b className={styles.big}>{formatPoints(difference.value)}</b>
        <IntervalBar range={BOTH_WAYS} interval={difference} mark={0} colour={2} />
        <span className={styles.soft}>{interval}</span>
      </div>
      <KeyValue row facts={factsOf(comparison)} />
      <div className={styles.lists}>
        <Tasks run={run} title={words.better(better.length)} tasks={better} />
        <Tasks run={run} title={words.worse(worse.length)} tasks={worse} />
      </div>
      <p className={styles.words}>{words.same(same)}</p>
    </div>
  );
}

function factsOf(comparison: ComparisonRow) {
  const { compare: words } = runText;
  const { p, adjustedP, tasks, leftOut, changedTasks, smallest, needed } = comparison;
  const isAdjusted = adjustedP !== null && p !== null && adjustedP !== p;
  return [
    {
      key: words.p,
      value: isAdjusted ? words.adjusted(formatP(p), formatP(adjustedP)) : words.pWords(formatP(p)),
    },
    { key: words.tasks, value: words.tasksWords(tasks, leftOut) },
    ...(changedTasks > 0 ? [{ key: words.changedKey, value: words.changed(changedTasks) }] : []),
    ...(smallest === null
      ? []
      : [{ key: words.smallest, value: words.points((Math.min(1, smallest) * 100).toFixed(1)) }]),
    ...(needed === null ? [] : [{ key: words.needed, value: formatCount(needed) }]),
  ];
}

function Tasks({ run, title, tasks }: { run: string; title: string; tasks: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? tasks : tasks.slice(0, FIRST_TASKS);
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {shown.map((task) => (
          <li key={task}>
            <a href={cellsHref(run, { text: task })}>
              <VisibleText text={task} />
            </a>
          </li>
        ))}
      </ul>
      {shown.length < tasks.length && (
        <Button small variant="quiet" onPress={() => setAll(true)}>
          {runText.compare.more(tasks.length - shown.length)}
        </Button>
      )}
    </div>
  );
}
