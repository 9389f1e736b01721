import type {
  FoundLists,
  ImportReport,
  PreflightRow,
  TaskCheck,
  TaskSet,
} from '../../../core/index.ts';
import { oneLine, pathText } from './safe-text.ts';
import { renderTable } from './table.ts';

type Task = TaskSet['tasks'][number];

const SHOWN_NOTES = 4;

/** The tasks of a set, a line each. */
export function renderTasks(tasks: readonly Task[], columns: number | null): string {
  const rows = tasks.map(({ name, hash, expected, verifier, image }) => [
    oneLine(name),
    hash.slice(0, 12),
    expected === null ? '-' : `${expected.failToPass.length}/${expected.passToPass.length}`,
    verifier.reader.kind,
    oneLine(image.reference ?? 'Dockerfile'),
  ]);
  return renderTable(['TASK', 'CONTENT', 'TESTS', 'READER', 'IMAGE'], rows, columns, ['CONTENT']);
}

/** What an import wrote. */
export function renderWritten(written: ImportReport['written'], columns: number | null): string {
  const rows = written.map(({ name, image, notes }) => [
    oneLine(name),
    oneLine(image ?? 'Dockerfile'),
    oneLine(notes.slice(0, SHOWN_NOTES).join('; ')),
  ]);
  return renderTable(['TASK', 'IMAGE', 'NOTES'], rows, columns);
}

/** Lines for stderr; nothing when nothing was refused. */
export function renderRefused(refused: readonly { id: string; reason: string }[]): string {
  return refused.map(({ id, reason }) => `refused ${oneLine(id)}: ${oneLine(reason)}\n`).join('');
}

/** One task that was made by running its tests. */
export function renderFound(task: Task, found: FoundLists | null): string {
  const place = `${oneLine(task.name)}  ${pathText(task.folder)}\n`;
  if (found === null) return `${place}  judged by the exit code of the command\n`;
  const { failToPass, passToPass } = found.expected;
  const more = [
    ...(found.broken.length > 0 ? [`${found.broken.length} are broken by the fix`] : []),
    ...(found.hidden.length > 0 ? [`${found.hidden.length} could not run before it`] : []),
  ];
  const counts = [
    failToPass.length === 1 ? '1 test tells the fix' : `${failToPass.length} tests tell the fix`,
    `${passToPass.length} have to keep passing`,
  ];
  return `${place}  ${[...counts, ...more].join(', ')}\n`;
}

/** One checked task: a line, and one more for each thing to know. */
export function renderCheck(check: TaskCheck): string {
  const seconds = check.runs.reduce((sum, run) => sum + run.seconds, 0);
  const head = `${check.ok ? 'ok  ' : 'BAD '} ${oneLine(check.name)}  (${check.runs.length} runs, ${seconds.toFixed(1)} s)`;
  const dropped = check.dropped ? ' (taken off the list)' : '';
  const lines = [
    head,
    ...check.problems.map((problem) => `     ${oneLine(problem)}`),
    ...check.flaky.map((name) => `     flaky: ${oneLine(name)}${dropped}`),
    ...check.warnings.map((warning) => `     note: ${oneLine(warning)}`),
  ];
  return `${lines.join('\n')}\n`;
}

const CHECKED = { true: 'fit', false: 'not fit', null: '-' } as const;

/** What each task lacks; problems on lines of their own. */
export function renderPreflight(rows: readonly PreflightRow[], columns: number | null): string {
  const table = renderTable(
    ['TASK', 'READY', 'CHECKED', 'NETWORK', 'ID', 'IMAGE'],
    rows.map((row) => [
      oneLine(row.task),
      row.ready ? 'yes' : 'NO',
      CHECKED[`${row.checked}`],
      row.wantsNetwork ? 'wanted' : row.uses.length > 0 ? `${row.uses.length} uses` : '-',
      row.image.id === null ? '-' : row.image.id.replace(/^sha256:/, '').slice(0, 12),
      oneLine(row.image.reference ?? 'Dockerfile'),
    ]),
    columns,
    ['ID'],
  );
  const details = rows.flatMap(({ task, problems, packages }) => [
    ...problems.map((problem) => `${oneLine(task)}: ${oneLine(problem)}`),
    ...(packages.length > 0
      ? [`${oneLine(task)}: its image needs ${oneLine(packages.join(', '))}`]
      : []),
  ]);
  return details.length === 0 ? table : `${table}\n${details.join('\n')}\n`;
}
