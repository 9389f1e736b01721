import type { RunCell } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
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

/** Filters that need the attempt itself; `null` = it stays. Asked once for each, in order. */
export function trajectoryFilter({
  maxMessages,
}: TrainFilters): (one: Trajectory) => string | null {
  const seen = new Set<string>();
  return (one) => {
    if (maxMessages !== undefined && one.messages.length > maxMessages) return 'too many messages';
    const key = contentKey(one);
    if (seen.has(key)) return 'duplicate';
    seen.add(key);
    return null;
  };
}

/** Ids of calls are drawn by servers: two attempts that differ in nothing else are the same. */
function contentKey({ messages, tools, origin }: Trajectory): string {
  const plain = messages.map((message) => {
    if (message.role === 'tool') return { ...message, toolCallId: '' };
    if (message.role !== 'assistant') return message;
    return { ...message, toolCalls: message.toolCalls?.map((call) => ({ ...call, id: '' })) };
  });
  return sha256(JSON.stringify([plain, tools, origin.solved]));
}
