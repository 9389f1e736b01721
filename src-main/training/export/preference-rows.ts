import type { ChatMessage } from '../../models/index.ts';
import { leaveOut } from './filters.ts';
import { NOT_JSON, OVER_CAP } from './reasons.ts';
import { trlMessages, toolsOf, type ToolForm } from './trl-row.ts';
import type { LeftOut, Origin, Trajectory } from './types.ts';

/** One side of a comparison, in the form that rows have. */
interface Side {
  prompt: Record<string, unknown>[];
  reply: Record<string, unknown>[];
  tools: Record<string, unknown>;
  origin: Origin;
}

interface PreferenceRow {
  value: Record<string, unknown>;
  origins: Origin[];
}

/** An attempt with its label, for trainers that need no pairs; `null` as {@link pairRows} has it. */
export function labelledRow(one: Trajectory, form: ToolForm): Record<string, unknown> | null {
  const side = sideOf(one, form);
  if (side === null) return null;
  const { prompt, reply, tools, origin } = side;
  return { prompt, completion: reply, label: origin.solved, ...tools };
}

/**
 * Pairs of a solved and an unsolved attempt of one task that began with the same prompt and tools.
 * Each attempt is in one pair at most, so that none weighs more than the others.
 */
export function pairRows(
  attempts: Iterable<Trajectory>,
  { form, cap, leftOut }: { form: ToolForm; cap: number; leftOut: LeftOut },
): PreferenceRow[] {
  const rows: PreferenceRow[] = [];
  for (const { solved, unsolved } of groups(attempts, form, leftOut)) {
    const pairs = solved.flatMap((good, index) => {
      const bad = unsolved[index];
      return bad === undefined ? [] : [pairOf(good, bad)];
    });
    const alone = solved.length + unsolved.length - 2 * pairs.length;
    const taken = pairs.slice(0, cap - rows.length);
    if (alone > 0) leaveOut(leftOut, 'no counterpart of the same task and prompt', alone);
    const over = 2 * (pairs.length - taken.length);
    if (over > 0) leaveOut(leftOut, OVER_CAP, over);
    rows.push(...taken);
  }
  return rows;
}

function groups(attempts: Iterable<Trajectory>, form: ToolForm, leftOut: LeftOut) {
  const found = new Map<string, { solved: Side[]; unsolved: Side[] }>();
  for (const one of attempts) {
    const side = sideOf(one, form);
    if (side === null) {
      leaveOut(leftOut, NOT_JSON);
      continue;
    }
    const key = JSON.stringify([side.prompt, side.tools]);
    const group = found.get(key) ?? { solved: [], unsolved: [] };
    (one.origin.solved ? group.solved : group.unsolved).push(side);
    found.set(key, group);
  }
  return found.values();
}

function sideOf(one: Trajectory, form: ToolForm): Side | null {
  const messages = trlMessages(one.messages);
  if (messages === null) return null;
  const begin = one.messages.findIndex(({ role }: ChatMessage) => role === 'assistant');
  return {
    ...{ prompt: messages.slice(0, begin), reply: messages.slice(begin) },
    ...{ tools: toolsOf(one, form), origin: one.origin },
  };
}

function pairOf(good: Side, bad: Side): PreferenceRow {
  return {
    value: { prompt: good.prompt, chosen: good.reply, rejected: bad.reply, ...good.tools },
    origins: [good.origin, bad.origin],
  };
}
