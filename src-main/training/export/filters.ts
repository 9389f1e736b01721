import type { RunCell } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
import type { ChatMessage } from '../../models/index.ts';
import type { LeftOut, Trajectory, TrainFilters } from './types.ts';

/** Counts an attempt that is in no row. */
export function leaveOut(leftOut: LeftOut, reason: string, attempts = 1): void {
  leftOut.set(reason, (leftOut.get(reason) ?? 0) + attempts);
}

/** Why a cell is in no row, as far as its row of the run tells; `null` = go on. */
export function reasonOfCell(cell: RunCell, filters: TrainFilters): string | null {
  const { entries, seeds } = filters;
  if (entries !== undefined && !entries.includes(cell.entry + 1)) return 'of another entry';
  if (seeds !== undefined && !seeds.includes(cell.seed)) return 'of another seed';
  if (cell.attemptId === null) return 'no attempt was made';
  if (cell.state !== 'graded') return 'no verdict';
  if (!cell.resolved && filters.unsolved !== true) return 'not solved';
  if (cell.suspicions.length > 0 && filters.suspicious !== true) return 'suspicious';
  return null;
}

/** Why an attempt is in no row, whatever others there are; `null` = go on. */
export function reasonOfLength(one: Trajectory, { maxMessages }: TrainFilters): string | null {
  const isLong = maxMessages !== undefined && one.messages.length > maxMessages;
  return isLong ? 'too many messages' : null;
}

/** Asked for an attempt and the key of all that it says. */
export type Told = (one: Trajectory, key: string) => boolean;

/** Tells whether an attempt says what an earlier one of the export said. Asked once for each. */
export function duplicateFilter(): Told {
  const seen = new Set<string>();
  return (one, said) => {
    const key = `${one.origin.solved} ${said}`;
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen;
  };
}

/**
 * Tells whether all that an attempt says is the beginning of what another of them says: its row
 * would hold nothing that the other's has not.
 */
export function copyFilter(attempts: Iterable<Trajectory>): Told {
  const begins = new Set<string>();
  for (const one of attempts) for (const key of historyKeys(one).slice(0, -1)) begins.add(key);
  return (_, said) => begins.has(said);
}

/** A key for all that an attempt says. */
export function saidKey(one: Trajectory): string {
  return historyKeys(one).at(-1) ?? '';
}

/** A key for what was said up to each message; equal for equal histories. */
function historyKeys({ messages, tools }: Trajectory): string[] {
  let key = sha256(JSON.stringify(tools));
  return messages.map((message) => (key = sha256(`${key}${JSON.stringify(withoutIds(message))}`)));
}

/** Ids of calls are drawn by servers: two attempts that differ in nothing else are the same. */
function withoutIds(message: ChatMessage): unknown {
  if (message.role === 'tool') return { ...message, toolCallId: '' };
  if (message.role !== 'assistant') return message;
  return { ...message, toolCalls: message.toolCalls?.map((call) => ({ ...call, id: '' })) };
}
