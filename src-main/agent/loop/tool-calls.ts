import type { Observation, ParsedTurn, ReadyCall } from '../types.ts';
import { endingOfToolError, type Ending } from './endings.ts';
import type { AttemptState } from './state.ts';
import { unlessStopped } from './stop.ts';

/** A tool that is told to stop gets this long to hand in what it has. */
const STOP_GRACE_MS = 1_000;

export interface CallsDone {
  /** One for each call, in order, however it went (L06). */
  observations: Observation[];
  toolsMs: number;
  ending: Ending | null;
}

/** Runs the calls of one turn in order. After a stop the rest is answered without being run. */
export async function runCalls(
  state: AttemptState,
  step: number,
  parsed: ParsedTurn,
): Promise<CallsDone> {
  const done: CallsDone = { observations: [], toolsMs: 0, ending: null };
  for (const call of parsed.calls) {
    if (!call.ok) {
      done.observations.push(errorObservation(call.id, call.name, call.error));
    } else if (done.ending ?? state.stop.ending) {
      done.ending ??= state.stop.ending;
      done.observations.push(errorObservation(call.call.id, call.call.name, NOT_RUN));
    } else {
      await runCall(state, step, call.call, done);
    }
  }
  if (done.ending?.exitReason === 'workspace_lost') {
    // Nothing can be read from it any more, so no checkpoint shall try.
    done.observations = done.observations.map((each) => ({ ...each, mutated: false }));
  }
  return done;
}

const NOT_RUN = 'Not run: the attempt was stopped before.';
const BROKEN_OFF = 'Broken off: the attempt was stopped.';

async function runCall(
  state: AttemptState,
  step: number,
  call: ReadyCall,
  done: CallsDone,
): Promise<void> {
  const { scaffold, workspace, recorder } = state.request;
  recorder.activity({ kind: 'tool', step, name: call.name, summary: summaryOf(call) });
  const startedAt = performance.now();
  const brokenOff = (): Observation => ({
    ...errorObservation(call.id, call.name, BROKEN_OFF),
    mutated: true,
    durationMs: performance.now() - startedAt,
  });
  try {
    const work = scaffold.execute(call, workspace, state.stop.signal);
    const result = await unlessStopped(work, state.stop, STOP_GRACE_MS);
    if (!result.done) done.ending = result.ending;
    done.observations.push(result.done ? result.value : brokenOff());
  } catch (error) {
    done.ending = state.stop.ending ?? endingOfToolError(error, call.name);
    done.observations.push(brokenOff());
  }
  done.ending ??= state.stop.ending;
  done.toolsMs += performance.now() - startedAt;
}

function errorObservation(callId: string, tool: string, text: string): Observation {
  return { callId, tool, text, isError: true, mutated: false, durationMs: 0, notes: [] };
}

const SUMMARY_CHARS = 100;

/** The first line of the first text argument: the path, the pattern or the command. */
function summaryOf(call: ReadyCall): string {
  const first = Object.values(call.arguments).find((value) => typeof value === 'string') ?? '';
  const line = first.trimStart().split('\n', 1)[0] ?? '';
  return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS)}…` : line;
}
