import type { ChatMessage, Completion, ToolCall } from '../../models/index.ts';
import type { Observation, ParsedTurn, StepRecord } from '../types.ts';
import { ending, endingOfError, type Ending } from './endings.ts';
import { LOOP_NUDGE, type LoopVerdict } from './loop-guard.ts';
import { takeModelTurn, type ModelTurn } from './model-turn.ts';
import { remindedOf, withBelow } from './reminders.ts';
import type { AttemptState } from './state.ts';
import { runCalls } from './tool-calls.ts';

/** One model turn and its calls, recorded. Returns the ending if it was the last. */
export async function runStep(state: AttemptState): Promise<Ending | null> {
  const { request, stop, budget } = state;
  const step = state.steps + 1;
  if (stop.ending) return stop.ending;
  if (step > request.limits.maxSteps) return ending('max_turns');
  const messages = state.condenser.messages(state.messages, budget);
  const maxTokens = budget.nextMaxTokens();
  if (maxTokens === null) return ending('max_context_len', budget.fullDetail());
  const turn = await takeModelTurn(state, step, { messages, maxTokens });
  if (!turn.done) return turn.ending;
  const { reply } = turn;
  budget.count(reply.usage);
  const parsed = request.scaffold.parse(reply);
  const calls = callsOf(parsed, reply);
  const work = await runCalls(state, step, parsed);
  state.totals.add(reply.usage);
  state.totals.addTime(turn.modelMs, work.toolsMs, turn.waitedMs);
  const verdict = state.guard.observe(calls, work.observations);
  const end = work.ending ?? judge(state, parsed, reply, verdict);
  const added = messagesOf(state, parsed, work.observations, end ? 'fine' : verdict, end);
  const notes = [...parsed.notes, ...work.observations.flatMap((each) => each.notes)];
  const record = {
    step,
    messages: added,
    calls,
    observations: work.observations,
    finish: reply.finish,
    usage: reply.usage,
    ...(reply.tokens && { tokens: reply.tokens }),
    timings: timingsOf(state, turn, work.toolsMs),
    retries: reply.retries,
    notes,
  } satisfies StepRecord;
  return finish(state, record, end);
}

/** Appends, saves, and only then counts the step as done. */
async function finish(
  state: AttemptState,
  record: StepRecord,
  end: Ending | null,
): Promise<Ending | null> {
  state.messages.push(...record.messages);
  try {
    await state.request.recorder.step(record);
  } catch (error) {
    const fault = endingOfError(error);
    // A recorder that finds the workspace gone has kept the step all the same.
    if (fault.exitReason === 'workspace_lost') state.steps = record.step;
    return end ?? state.stop.ending ?? fault;
  }
  state.steps = record.step;
  return end;
}

/** Whether a finished turn ends the attempt. */
function judge(
  state: AttemptState,
  parsed: ParsedTurn,
  reply: Completion,
  verdict: LoopVerdict,
): Ending | null {
  if (parsed.final !== null) return { ...ending('agent'), finalMessage: parsed.final };
  if (parsed.calls.length === 0 && parsed.nudge === null) {
    throw new Error('the scaffold made nothing of a reply');
  }
  const worn = state.nudges.count(parsed, reply);
  // Cut replies at the end of the window are the window's doing, not the turn limit's.
  if (worn?.exitReason === 'max_tokens_per_turn' && state.budget.nextMaxTokens() === null) {
    return ending('max_context_len', state.budget.fullDetail());
  }
  return worn ?? (verdict === 'loop' ? ending('loop') : null);
}

function messagesOf(
  state: AttemptState,
  parsed: ParsedTurn,
  observations: readonly Observation[],
  verdict: LoopVerdict,
  end: Ending | null,
): ChatMessage[] {
  const { scaffold, recorder } = state.request;
  const seen = observations.length > 0 ? scaffold.observe(observations) : [];
  const messages: ChatMessage[] = [parsed.message, ...seen];
  if (end) return messages;
  const step = state.steps + 1;
  const nudge = parsed.nudge?.text ?? (verdict === 'nudge' ? LOOP_NUDGE : null);
  if (nudge === null) return remindedOf(state, messages, step);
  recorder.activity({ kind: 'note', step, text: `told the model: ${nudge}` });
  return remindedOf(state, withBelow(messages, nudge, '\n\n'), step);
}

/** The calls as the model wrote them; salvaged ones as they were understood. */
function callsOf(parsed: ParsedTurn, reply: Completion): ToolCall[] {
  if (reply.toolCalls.length === parsed.calls.length) return reply.toolCalls;
  return parsed.calls.map((call) =>
    call.ok
      ? { ...call.call, arguments: JSON.stringify(call.call.arguments) }
      : { id: call.id, name: call.name, arguments: '' },
  );
}

function timingsOf(
  state: AttemptState,
  { reply, modelMs, waitedMs }: Extract<ModelTurn, { done: true }>,
  toolsMs: number,
): StepRecord['timings'] {
  const now = performance.now();
  const ownMs = Math.max(0, now - state.accountedAt - modelMs - waitedMs - toolsMs);
  state.accountedAt = now;
  const { firstTokenMs } = reply.timings;
  return { modelMs, firstTokenMs, toolsMs, ownMs, ...(waitedMs > 0 && { waitedMs }) };
}
