import { bullets, codeSpan, titled } from '../../lib/index.ts';
import { costRows } from './cost-rows.ts';
import { entryFacts, runFacts } from './facts.ts';
import { matrixOf } from './failure-matrix.ts';
import { infraText, passText, runsOfTask, shownKs } from './score-text.ts';
import { METHOD, SOURCES } from './method.ts';
import { chance, count, percent, points, range } from './numbers.ts';
import { taskReasons, type CellReason } from './reasons.ts';
import type { ReportData } from './report-data.ts';
import {
  canShow,
  comparisonSentence,
  reachSentence,
  resultSentence,
  warnings,
} from './sentences.ts';
import { MARKS, markOf, shortened, SUSPICION_WORDS } from './words.ts';

/** A tracker shows no more, and refuses pages that are larger. */
const MOST_TASKS = 200;
const MOST_REASONS = 100;

/** The report for a tracker or a pull request. Everything foreign stands in code spans. */
export function markdownReport(data: ReportData): Uint8Array {
  const parts = [
    `# Evaluation: ${name(data.run.name)}`,
    ...result(data),
    ...comparisons(data),
    ...titled('Cost', [
      table(
        ['Cost', 'Entry', 'Half', 'Nine in ten', 'All together'],
        costRows(data.entries).map((row) => [row.cost, name(row.entry), row.p50, row.p90, row.sum]),
      ),
    ]),
    ...failures(data),
    ...taskMatrix(data),
    ...reasons(data),
    ...origin(data),
  ];
  return Buffer.from(`${parts.join('\n\n')}\n`);
}

/** Foreign text: in a code span, in which a bar would still end a field of a table. */
function name(text: string): string {
  return codeSpan(shortened(text).replaceAll('|', '¦'));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (fields: readonly string[]) => `| ${fields.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function result(data: ReportData): string[] {
  const { entries, reach } = data;
  const ks = shownKs(entries);
  const said = entries.map((one) => resultSentence(one, name)).filter((one) => one !== null);
  const rows = entries.map((one) => {
    const { statistics, pass1 } = one;
    const tasks = statistics.tasks - statistics.tasksWithout;
    return [
      ...[name(one.entry.label), percent(pass1.value), range(pass1)],
      percent(statistics.standardError),
      ...ks.map((k) => passText(statistics.passAt, k, tasks)),
      ...ks.map((k) => passText(statistics.passHat, k, tasks)),
      ...[percent(statistics.flips), count(tasks), runsOfTask(one)],
    ];
  });
  const beside = entries.map(
    ({ entry, planned, notBegun, retried, infra, statistics: { runs } }) => [
      name(entry.label),
      ...[planned, runs.valid, runs.solved, runs.infra, runs.unfinished, notBegun, retried].map(
        count,
      ),
      infraText(infra),
    ],
  );
  const passes = [...ks.map((k) => `pass@${k}`), ...ks.map((k) => `pass^${k}`)];
  return titled('Result', [
    said.length === 0 ? 'No cell has a verdict yet.' : bullets(said),
    warnings(data, name)
      .map((text) => `> ${text}`)
      .join('\n>\n'),
    table(
      ['Entry', 'pass@1', '95 % interval', 'Standard error', ...passes, 'Flips', 'Tasks', 'n'],
      rows,
    ),
    table(
      [
        'Entry',
        'Asked for',
        'With a verdict',
        'Solved',
        'Infra',
        'Unfinished',
        'Not begun',
        'Tried again',
        'Why infra',
      ],
      beside,
    ),
    reach === null ? '' : reachSentence(reach),
  ]);
}

function comparisons({ comparisons: all }: ReportData): string[] {
  const rows = all.map(({ a, b, result: one, adjustedP }) => [
    ...[name(b), name(a), points(one.difference.value), range(one.difference)],
    ...[chance(one.p), chance(adjustedP)],
    ...[one.better.length, one.worse.length, one.same, one.tasks, one.leftOut].map(count),
    canShow(one),
    one.needed === null ? '–' : count(one.needed),
  ]);
  const head = ['B', 'against A', 'B less A, points', '95 % interval', 'Exact p', 'p after Holm'];
  const more = ['Better', 'Worse', 'Same', 'Tasks', 'Left out', 'Can show', 'Tasks needed'];
  return titled('Comparison', [
    bullets(all.map((one) => comparisonSentence(one, name))),
    table([...head, ...more], rows),
  ]);
}

function failures({ entries, labels }: ReportData): string[] {
  const matrices = entries.flatMap((entry) => {
    const { head, rows } = matrixOf(entry);
    return [`### ${name(entry.entry.label)}`, table(['Outcome', ...head], rows)];
  });
  return titled('Failures', [
    ...matrices,
    bullets([
      ...entries.map(
        ({ entry, premature }) =>
          `${name(entry.label)}: premature endings ${count(premature.cells)}, of them solved ${count(premature.solved)}`,
      ),
      ...entries.flatMap(({ entry, suspicions }) =>
        suspicions.map(
          ({ kind, cells, solved }) =>
            `${name(entry.label)}: ${SUSPICION_WORDS[kind]} in ${count(cells)}, of them solved ${count(solved)}`,
        ),
      ),
      ...(entries.some(({ suspicions }) => suspicions.length > 0)
        ? []
        : ['nothing that looks like a way around the task']),
      ...labels.map(({ label, cells }) => `label ${name(label)}: ${count(cells)}`),
    ]),
  ]);
}

function taskMatrix({ tasks, created }: ReportData): string[] {
  const rows = tasks
    .slice(0, MOST_TASKS)
    .map(({ task, cells }) => [
      name(task),
      ...cells.map((own) => own.map((cell) => MARKS[markOf(cell)].sign).join(' ')),
    ]);
  const left = tasks.length - rows.length;
  const seen = new Set(tasks.flatMap(({ cells }) => cells.flat().map(markOf)));
  const legend = [...seen].map((mark) => `${MARKS[mark].sign} ${MARKS[mark].words}`).join('; ');
  return titled('Tasks by seed', [
    legend,
    table(['Task', ...created.entries.map(({ label }) => name(label))], rows),
    left > 0 ? `And ${count(left)} more tasks; the other formats have all.` : '',
  ]);
}

function reasons({ tasks, created }: ReportData): string[] {
  const all = tasks.flatMap((row) => taskReasons(row, created));
  const left = all.length - MOST_REASONS;
  return titled('Reasons', [
    bullets(all.slice(0, MOST_REASONS).map(reasonLine)),
    left > 0 ? `And ${count(left)} more lines; the other formats have all.` : '',
  ]);
}

function reasonLine({ task, entry, seeds, outcome, reason, extra, label }: CellReason): string {
  const { text, unmet, more } = reason;
  const parts = [
    ...(text === '' ? [] : [name(text)]),
    ...unmet.map(name),
    ...(more > 0 ? [`and ${count(more)} more`] : []),
    ...extra.map(name),
    ...(label === null ? [] : [`label ${name(label.label)} ${name(label.note)}`]),
  ];
  const where = entry === '' ? '' : ` ${name(entry)}`;
  return `${name(task)}${where}, ${seeds}: ${outcome}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function origin(data: ReportData): string[] {
  const entries = data.created.entries.map((entry) => {
    const { model, source, scaffold, hash } = entryFacts(entry);
    return [name(entry.label), name(model), name(source), name(scaffold), codeSpan(hash)];
  });
  return [
    ...titled('What was run', [
      table(['Entry', 'Model', 'Asked for as', 'Scaffold', 'Hash of the scaffold'], entries),
      bullets(runFacts(data).map(([fact, value]) => `${codeSpan(fact)}: ${codeSpan(value)}`)),
    ]),
    ...titled('How the figures are computed', [
      bullets(
        METHOD.map(
          ({ figure, text, sources }) =>
            `${figure}: ${text}${sources.length === 0 ? '' : ` (${sources.length === 1 ? 'source' : 'sources'} ${sources.join(', ')})`}`,
        ),
      ),
      SOURCES.map((source, at) => `${at + 1}. ${source}`).join('\n'),
    ]),
  ];
}
