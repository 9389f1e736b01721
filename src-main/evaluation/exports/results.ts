import type { RunCell } from '../../contract/index.ts';
import { entryStatistics } from '../statistics/index.ts';
import { leafRecord } from './leaf-trajectory.ts';
import type { OutFolder } from './out-folder.ts';
import { entryFolder } from './places.ts';
import { hasCallsInText, r2egymRecord } from './r2egym-trajectory.ts';
import { readCell } from './read-cell.ts';
import { jsonFile, jsonText } from './text.ts';
import type { CellRecord, ExportSource } from './types.ts';

/**
 * The folder that Leaf's own runner leaves (microsoft/FrogNano, runner.py): config.json,
 * results.jsonl, summary.json, trajectories, patches. One such folder for each entry.
 */
export async function exportResults(source: ExportSource, out: OutFolder): Promise<number> {
  let done = 0;
  for (const entry of source.created.entries.keys()) {
    const cells = source.cells.filter((cell) => cell.entry === entry);
    const folder = entryFolder(source, entry);
    await out.write([...folder, 'config.json'], jsonFile(configOf(source, entry)));
    const results = await out.append([...folder, 'results.jsonl']);
    for (const cell of cells) {
      const record = readCell(source, cell);
      const trajectory = record === null ? null : await writeAttempt(source, record, folder, out);
      await results.write(`${jsonText(rowOf(source, cell, record, trajectory))}\n`);
    }
    await out.write([...folder, 'summary.json'], jsonFile(summaryOf(source, cells)));
    done += cells.length;
  }
  return done;
}

/** Returns the trajectory's path below the entry's folder. */
async function writeAttempt(
  source: ExportSource,
  record: CellRecord,
  folder: readonly string[],
  out: OutFolder,
): Promise<string> {
  const { seed } = record.cell;
  const place = ['trajectories', record.id];
  const name = `trajectory_seed-${seed}.json`;
  const bytes = hasCallsInText(record)
    ? Buffer.from(`${jsonText(r2egymRecord(record, source))}\n`)
    : jsonFile(leafRecord(record, source));
  await out.write([...folder, ...place, name], bytes);
  // An empty file would pass for a result; the trajectory says that there is none.
  if (record.patch.length > 0) {
    await out.write([...folder, ...place, `generated_seed-${seed}.patch`], record.patch);
  }
  return [...place, name].join('/');
}

/** Leaf's members first. A reward that nobody knows is `null`, where Leaf writes 0. */
function rowOf(
  source: ExportSource,
  cell: RunCell,
  record: CellRecord | null,
  trajectory: string | null,
): Record<string, unknown> {
  const isGraded = cell.state === 'graded';
  return {
    instance_id: cell.task,
    seed: cell.seed,
    attempt: record?.number ?? cell.tries,
    status: isGraded ? 'completed' : 'failed',
    reward: isGraded ? cell.reward : null,
    exit_reason: cell.exitReason,
    trajectory,
    source: source.run.name,
    ...(isGraded ? {} : { error: errorOf(cell) }),
    vivarium: {
      entry: source.created.entries[cell.entry]?.label ?? null,
      ...{ session: cell.sessionId, state: cell.state, tries: cell.tries },
      ...{ resolved: cell.resolved, outcome: cell.outcome, ending: cell.ending },
      ...{ premature: cell.premature, suspicions: cell.suspicions, label: cell.label },
      ...{ steps: cell.steps, tokens: cell.tokens, seconds: cell.seconds },
      ...{ peakMemoryBytes: cell.peakMemoryBytes, energyJoules: cell.energyJoules },
      ...{ patch: cell.patch, grading: cell.grading },
    },
  };
}

function errorOf({ state, grading, detail }: RunCell): string {
  const infra = grading?.infra;
  if (infra !== undefined && infra !== null) return `${infra.reason}: ${infra.detail}`;
  return detail ?? state;
}

function configOf({ run, created, version }: ExportSource, entry: number): Record<string, unknown> {
  // Whose process ran it is of no use elsewhere.
  const { owner: _, entries, ...facts } = created;
  return { format: 'vivarium-run-1', version, runId: run.runId, ...facts, entry: entries[entry] };
}

function summaryOf(
  { run, created }: ExportSource,
  cells: readonly RunCell[],
): Record<string, unknown> {
  const total = created.tasks.length * created.seeds.length;
  const ended = cells.filter(({ state }) => state !== 'running');
  const completed = cells.filter(({ state }) => state === 'graded');
  const resolved = completed.filter((cell) => cell.resolved).length;
  const end = run.finishedAt;
  return {
    dataset: run.name,
    tasks_selected: created.tasks.length,
    jobs_total: total,
    jobs_recorded: ended.length,
    jobs_completed: completed.length,
    jobs_failed: ended.length - completed.length,
    resolved,
    // Leaf's own shares: what was never judged counts as not resolved in the first.
    resolve_rate: total === 0 ? 0 : resolved / total,
    error_rate: total === 0 ? 0 : (total - completed.length) / total,
    duration_sec: end === null ? null : (end - run.createdAt) / 1000,
    vivarium: { state: run.state, statistics: entryStatistics(cells) },
  };
}
