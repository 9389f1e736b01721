import type { EventOf, RunCell } from '../../contract/index.ts';
import { toChatMessage } from '../../fix/index.ts';
import { readCell } from '../../evaluation/index.ts';
import type { Trajectory, TrainSource } from './types.ts';

/**
 * The last try of a cell up to its last reply: what comes after it is never learned from, and
 * importers skip a row that does not end with a reply. `null` when the model said nothing.
 */
export function readTrajectory(source: TrainSource, cell: RunCell): Trajectory | null {
  const record = readCell(source, cell);
  if (record === null) return null;
  const recorded: EventOf<'attempt.opened'>['messages'] = [
    ...(record.opened?.messages ?? []),
    ...record.steps.flatMap((step) => step.messages),
  ];
  const last = recorded.findLastIndex(({ role }) => role === 'assistant');
  if (last === -1) return null;
  return {
    origin: {
      run: cell.runId,
      session: cell.sessionId,
      task: record.id,
      entry: source.created.entries[cell.entry]?.label ?? '',
      seed: cell.seed,
      solved: cell.resolved,
    },
    messages: recorded.slice(0, last + 1).map(toChatMessage),
    tools: record.opened?.tools ?? [],
    ...{ source, record },
  };
}
