import { mixSeed } from '../../lib/index.ts';
import type { ChatMessage, Completion } from '../../models/index.ts';
import { ending, endingOfModelError, type Ending } from './endings.ts';
import type { AttemptState } from './state.ts';
import { unlessStopped } from './stop.ts';

export type ModelTurn =
  | { done: true; reply: Completion; modelMs: number; waitedMs: number }
  | { done: false; ending: Ending };

/** Asks the model once; failures and stops become endings. */
export async function takeModelTurn(
  state: AttemptState,
  step: number,
  prompt: { messages: readonly ChatMessage[]; maxTokens: number },
): Promise<ModelTurn> {
  const { chat, scaffold, seed, recorder, recordTokens = false } = state.request;
  recorder.activity({ kind: 'model', step });
  const startedAt = performance.now();
  let waitedMs = 0;
  let stoppedWaiting = false;
  try {
    const work = chat.complete({
      ...prompt,
      tools: state.tools,
      sampling: { ...scaffold.sampling, seed: mixSeed(seed, step) },
      wantsTokens: recordTokens,
      signal: state.stop.signal,
      onDelta: (delta) => recorder.activity({ kind: 'delta', step, delta }),
      onWaited: (ms) => {
        waitedMs += ms;
        stoppedWaiting = state.stop.ending !== null;
      },
    });
    const turn = await unlessStopped(work, state.stop, 0);
    const wallMs = performance.now() - startedAt - waitedMs;
    if (!turn.done) {
      state.totals.addTime(wallMs, 0, waitedMs);
      return stoppedWaiting ? { done: false, ending: endingOfWait(turn.ending) } : turn;
    }
    const { timings, retries } = turn.value;
    // Building the request is our time, not the model's; waiting between tries is not ours.
    const modelMs = retries.length > 0 ? wallMs : Math.min(timings.totalMs, wallMs);
    return { done: true, reply: turn.value, modelMs, waitedMs };
  } catch (error) {
    state.totals.addTime(performance.now() - startedAt - waitedMs, 0, waitedMs);
    return { done: false, ending: endingOfModelError(error) };
  }
}

/** Time that ran out while the server was paused says nothing of the model. */
function endingOfWait(stopped: Ending): Ending {
  if (stopped.exitReason !== 'max_time') return stopped;
  return ending('llm_query_error', 'the time limit came while the model server was paused');
}
