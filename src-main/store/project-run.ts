import type { EventBody, EventOf, StoredEvent } from '../contract/index.ts';
import type { StoredCell } from './types.ts';

type Ended = Pick<
  EventOf<'attempt.finished'>,
  'detail' | 'exitReason' | 'peakMemoryBytes' | 'steps'
>;

/**
 * One change of a derived row of a run. `applyRunChange` has one statement for each; those of a cell
 * change nothing in a session that is none.
 */
export type RunChange =
  | { do: 'run.create'; owner: string; name: string; tasks: number; entries: string; seeds: number }
  | { do: 'run.resume'; owner: string }
  | { do: 'run.finish'; state: EventOf<'run.finished'>['outcome'] }
  | { do: 'cell.create'; runId: string; task: string; entry: number; seed: number }
  /** A further try begins with nothing of the one before; an attempt that goes on keeps what it has. */
  | { do: 'cell.begin'; attemptId: string; number: number }
  | { do: 'cell.step'; attemptId: string; step: number }
  | ({
      do: 'cell.end';
      attemptId: string;
      state: StoredCell['state'];
      tokens: StoredCell['tokens'];
      seconds: EventOf<'attempt.finished'>['seconds'];
    } & Ended)
  | {
      do: 'cell.patch';
      attemptId: string;
      files: number;
      insertions: number;
      deletions: number;
      blob: string | null;
    }
  | { do: 'cell.grade'; attemptId: string; grading: EventOf<'grading.finished'>['result'] }
  | {
      do: 'cell.analyse';
      attemptId: string;
      premature: boolean;
      suspicions: string;
      energyJoules: number | null;
    }
  | { do: 'cell.label'; label: string | null }
  | { do: 'cell.interrupt' }
  | { do: 'cell.finish'; outcome: EventOf<'session.finished'>['outcome'] };

/** What an event means for the rows of its run or cell. Pure, and independent of what came before. */
export function projectRun(event: StoredEvent): RunChange[] {
  const { body, attemptId } = event;
  switch (body.type) {
    case 'run.created':
      return [ofRun(body)];
    case 'run.resumed':
      return [{ do: 'run.resume', owner: body.owner }];
    case 'run.finished':
      return [{ do: 'run.finish', state: body.outcome }];
    case 'session.created':
      return body.cell === undefined ? [] : [ofCell(body.cell)];
    case 'cell.labelled': {
      const { label, note } = body;
      return [{ do: 'cell.label', label: label === null ? null : JSON.stringify({ label, note }) }];
    }
    case 'session.interrupted':
      return [{ do: 'cell.interrupt' }];
    case 'session.finished':
      return [{ do: 'cell.finish', outcome: body.outcome }];
    default:
      return attemptId === null ? [] : ofAttempt(attemptId, body);
  }
}

function ofRun(body: EventOf<'run.created'>): RunChange {
  const { owner, name, tasks, entries, seeds } = body;
  return {
    do: 'run.create',
    ...{ owner, name },
    tasks: tasks.length,
    entries: JSON.stringify(entries.map(({ label }) => label)),
    seeds: seeds.length,
  };
}

function ofCell(cell: NonNullable<EventOf<'session.created'>['cell']>): RunChange {
  const { runId, task, entry, seed } = cell;
  return { do: 'cell.create', runId, task, entry, seed };
}

function ofAttempt(attemptId: string, body: EventBody): RunChange[] {
  switch (body.type) {
    case 'attempt.started':
      return [{ do: 'cell.begin', attemptId, number: body.number }];
    case 'step.finished':
      return [{ do: 'cell.step', attemptId, step: body.step }];
    case 'attempt.finished':
      return [ofEnding(attemptId, body)];
    case 'patch.made': {
      const { insertions, deletions, blob } = body;
      return [
        { do: 'cell.patch', attemptId, files: body.files.length, insertions, deletions, blob },
      ];
    }
    case 'grading.finished':
      return [{ do: 'cell.grade', attemptId, grading: body.result }];
    case 'cell.analysed': {
      const { premature, suspicions, energyJoules } = body;
      const found = { premature, suspicions: JSON.stringify(suspicions), energyJoules };
      return [{ do: 'cell.analyse', attemptId, ...found }];
    }
    default:
      return [];
  }
}

/** Of an attempt that ended by itself the grading is still to come. */
function ofEnding(attemptId: string, body: EventOf<'attempt.finished'>): RunChange {
  const { exitReason, detail, steps, seconds, peakMemoryBytes, usage } = body;
  const states: Partial<Record<typeof exitReason, StoredCell['state']>> = {
    interrupted: 'interrupted',
    cancelled: 'stopped',
  };
  return {
    do: 'cell.end',
    ...{ attemptId, exitReason, detail, steps, seconds, peakMemoryBytes },
    state: states[exitReason] ?? 'running',
    tokens: {
      prompt: usage.promptTokens,
      completion: usage.completionTokens,
      cached: usage.cachedTokens,
    },
  };
}
