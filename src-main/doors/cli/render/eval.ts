import type { RunCell, RunSummary } from '../../../contract/index.ts';
import type { RunDetails } from '../../../core/index.ts';
import { formatAge, formatCount, formatSeconds, plural } from './format.ts';
import { oneLine } from './safe-text.ts';
import { renderTable } from './table.ts';

/** The table of runs at the time `now` (ms since 1970). */
export function renderRuns(
  runs: readonly RunSummary[],
  now: number,
  columns: number | null,
): string {
  const rows = runs.map(({ runId, state, createdAt, cells, entries, name }) => [
    runId,
    state,
    formatAge((now - createdAt) / 1000),
    `${cells.graded + cells.infra}/${cells.total}`,
    `${cells.resolved}/${cells.graded}`,
    String(cells.infra),
    oneLine(name),
    oneLine(entries.join(', ')),
  ]);
  const heading = ['ID', 'STATE', 'AGE', 'DONE', 'RESOLVED', 'INFRA', 'NAME', 'ENTRIES'];
  return renderTable(heading, rows, columns, ['INFRA', 'AGE']);
}

/** What was resolved by each entry. Infra stands beside: it is no part of the share. */
export function renderRun({ run, created, cells }: RunDetails, columns: number | null): string {
  const rows = created.entries.map(({ label }, entry) =>
    entryRow(label, entry, { created, cells }),
  );
  const heading = ['RESOLVED', 'SHARE', 'INFRA', 'LEFT', 'STEPS', 'TIME', 'TOKENS', 'ENTRY'];
  const what = [
    plural(run.tasks, 'task'),
    plural(run.seeds, 'seed'),
    plural(run.entries.length, 'entry', 'entries'),
  ].join(' x ');
  const title = `Run ${run.runId} "${oneLine(run.name)}": ${run.state}, ${what}`;
  return `${title}\n\n${renderTable(heading, rows, columns, ['TOKENS', 'STEPS', 'LEFT'])}`;
}

function entryRow(
  label: string,
  entry: number,
  { created, cells }: Pick<RunDetails, 'created' | 'cells'>,
): string[] {
  const own = cells.filter((cell) => cell.entry === entry);
  const graded = own.filter(({ state }) => state === 'graded');
  const resolved = graded.filter((cell) => cell.resolved).length;
  const infra = own.filter(({ state }) => state === 'infra').length;
  const total = created.tasks.length * created.seeds.length;
  return [
    `${resolved} of ${graded.length}`,
    graded.length === 0 ? '-' : `${((100 * resolved) / graded.length).toFixed(1)} %`,
    String(infra),
    String(total - graded.length - infra),
    graded.length === 0 ? '-' : mean(graded.map(({ steps }) => steps)).toFixed(1),
    graded.length === 0 ? '-' : formatSeconds(mean(graded.map(({ seconds }) => seconds.total))),
    tokensOf(graded),
    oneLine(label),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean of what the server counted; `?` where it did not count all. */
function tokensOf(cells: readonly RunCell[]): string {
  const known = cells.map(({ tokens }) =>
    tokens.prompt === null ? null : tokens.prompt + (tokens.completion ?? 0),
  );
  const counted = known.filter((tokens) => tokens !== null);
  if (counted.length === 0 || counted.length < known.length) return formatCount(null);
  return formatCount(Math.round(mean(counted)));
}

/** Each cell that has begun, and what it came to. */
export function renderCells({ created, cells }: RunDetails, columns: number | null): string {
  const rows = cells.map((cell) => [
    oneLine(cell.task),
    String(cell.seed),
    cell.outcome ?? cell.state,
    cell.ending ?? '-',
    String(cell.steps),
    String(cell.tries),
    cell.sessionId,
    oneLine(created.entries[cell.entry]?.label ?? ''),
    oneLine(cell.grading?.summary ?? cell.detail ?? ''),
  ]);
  const heading = ['TASK', 'SEED', 'OUTCOME', 'ENDING', 'STEPS', 'TRIES', 'SESSION', 'ENTRY'];
  return renderTable([...heading, 'VERDICT'], rows, columns, ['TRIES', 'STEPS', 'ENTRY']);
}
