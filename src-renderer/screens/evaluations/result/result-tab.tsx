import type { EntryReportRow, RunReport } from '../../../../src-main/contract/index.ts';
import { KeyValue } from '../../../components/key-value.tsx';
import { Banner } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatDuration, formatTokens } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../evaluations.module.css';
import { formatPercent, formatShare } from '../figures.ts';
import { IntervalBar } from '../interval-bar.tsx';
import { CostTable } from './cost-table.tsx';
import { Curves } from './curves.tsx';

const SHARE = [0, 1] as const;

/** The score with what stands beside it, what it cost, and how it was run. */
export function ResultTab({ report }: { report: RunReport }) {
  const { result: words } = runText;
  return (
    <div className={styles.scroll}>
      {report.warnings.length > 0 && (
        <Banner tone="info">
          {report.warnings.map((text) => (
            <p key={text}>
              <VisibleText text={text} />
            </p>
          ))}
        </Banner>
      )}
      <Section title={words.score}>
        <ul className={styles.entries} aria-label={words.axis}>
          {report.entries.map((entry, index) => (
            <Entry key={entry.entry.label} entry={entry} index={index} />
          ))}
        </ul>
        {report.reach !== null && (
          <p className={styles.sentence}>
            <b>{words.reach}</b> <VisibleText text={report.reach.sentence} />
          </p>
        )}
      </Section>
      <Section title={words.costs}>
        <CostTable entries={report.entries} />
      </Section>
      <Section title={words.curves}>
        <Curves entries={report.entries} />
      </Section>
      <Section title={words.setting}>
        <Setting report={report} />
      </Section>
    </div>
  );
}

function Entry({ entry, index }: { entry: EntryReportRow; index: number }) {
  const { result: words } = runText;
  const { pass1, runs } = entry;
  const known = runs.valid > 0;
  return (
    <li className={styles.entry}>
      <h3>
        <VisibleText text={entry.entry.label} />
      </h3>
      <div className={styles.score}>
        <b className={styles.big}>{formatPercent(known ? pass1.value : null)}</b>
        <IntervalBar range={SHARE} interval={pass1} colour={colourOf(index)} />
        <span className={styles.soft}>
          {known
            ? `${words.interval(formatPercent(pass1.low), formatPercent(pass1.high))}, ${words.by[pass1.by]}`
            : words.noVerdicts}
        </span>
      </div>
      <KeyValue row facts={factsOf(entry)} />
    </li>
  );
}

function factsOf(entry: EntryReportRow) {
  const { result: words } = runText;
  const { runs, passAt, passHat, flips, tasks, tasksWithout } = entry;
  const at = passAt.at(-1);
  const hat = passHat.at(-1);
  const several = (at?.k ?? 1) > 1;
  const figure = (value: number | null, of: number, title: string) => (
    <span title={`${title}, ${words.overTasks(of)}`}>{formatPercent(value)}</span>
  );
  return [
    { key: words.pass1, value: figure(entry.pass1.value, tasks - tasksWithout, words.score) },
    { key: words.solved, value: words.of(runs.solved, runs.valid) },
    ...(several && at !== undefined && hat !== undefined
      ? [
          { key: words.passAt(at.k), value: figure(at.value, at.tasks, words.passAtWords) },
          { key: words.passHat(hat.k), value: figure(hat.value, hat.tasks, words.passHatWords) },
          {
            key: words.flips,
            value: <span title={words.flipsWords}>{formatShare(flips)}</span>,
          },
        ]
      : []),
    { key: words.aside, value: asideOf(entry) },
  ];
}

function asideOf({ runs, notBegun, retried }: EntryReportRow): string {
  const { result: words } = runText;
  const parts = [
    ...(runs.infra > 0 ? [words.infra(runs.infra)] : []),
    ...(runs.unfinished > 0 ? [words.unfinished(runs.unfinished)] : []),
    ...(notBegun > 0 ? [words.notBegun(notBegun)] : []),
    ...(retried > 0 ? [words.retried(retried)] : []),
  ];
  return parts.length === 0 ? words.complete : parts.join(', ');
}

function Setting({ report }: { report: RunReport }) {
  const { settingNames: names, byProfile, environment } = runText.result;
  const { settings } = report;
  const own = (value: number, format: (value: number) => string) =>
    value === 0 ? byProfile : format(value);
  const sampling = Object.entries(settings.sampling).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  return (
    <>
      <KeyValue
        facts={[
          { key: names.tasks, value: visibleLine(report.tasksFolder) },
          ...(settings.preset === null ? [] : [{ key: names.preset, value: settings.preset }]),
          { key: names.steps, value: own(settings.maxSteps, formatCount) },
          { key: names.context, value: own(settings.maxContextTokens, formatTokens) },
          { key: names.turn, value: own(settings.maxTokensPerTurn, formatTokens) },
          { key: names.time, value: own(settings.timeLimitMs, formatDuration) },
          { key: names.sampling, value: sampling.length === 0 ? byProfile : sampling.join(', ') },
          { key: names.workers, value: formatCount(settings.workers) },
        ]}
      />
      <h3>{environment}</h3>
      <KeyValue
        facts={Object.entries(report.environment).map(([key, value]) => ({
          key: visibleLine(key),
          value: visibleLine(value),
        }))}
      />
    </>
  );
}

/** Entries keep their colour over all pictures of a run. */
export function colourOf(index: number): 1 | 2 | 3 | 4 | 5 {
  return ([1, 2, 3, 4, 5] as const)[index % 5] ?? 5;
}
