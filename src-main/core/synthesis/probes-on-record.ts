import type { EventOf, RunEntry } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { sameModel } from '../../synthesis/index.ts';
import { createdOf } from '../evaluation/list.ts';

/** By content hash of a task, then by seed: was it solved? */
export type ProbesOnRecord = Map<string, Map<number, boolean>>;

/**
 * All verdicts on record of these contents by this model with this scaffold, whichever run they are
 * from. A seed counts once, the first verdict of it: the same seed again says next to nothing new.
 */
export function probesOnRecord(
  { store }: Pick<Environment, 'store'>,
  entry: RunEntry,
  hashes: ReadonlySet<string>,
): ProbesOnRecord {
  const found: ProbesOnRecord = new Map();
  for (const { runId } of store.runs().toReversed()) {
    const created = createdOf({ store }, runId);
    const { entries, tasks, settings } = created;
    const isSame = entries.map((other) => sameModel(other, entry));
    if (!isSame.includes(true) || !asProbed(settings)) continue;
    const hashOf = new Map(tasks.map(({ name, hash }) => [name, hash]));
    for (const cell of store.cells(runId)) {
      const hash = hashOf.get(cell.task) ?? '';
      if (cell.state !== 'graded' || isSame[cell.entry] !== true || !hashes.has(hash)) continue;
      const seeds = found.get(hash) ?? new Map<number, boolean>();
      if (!seeds.has(cell.seed)) seeds.set(cell.seed, cell.resolved);
      found.set(hash, seeds);
    }
  }
  return found;
}

/** With other limits or another temperature it is another pass rate. */
function asProbed(settings: EventOf<'run.created'>['settings']): boolean {
  const { maxSteps, maxContextTokens, maxTokensPerTurn, timeLimitMs, sampling } = settings;
  const limits = maxSteps + maxContextTokens + maxTokensPerTurn + timeLimitMs;
  return limits === 0 && Object.keys(sampling).length === 0;
}
