import type { EventBody, EventOf, EventType, StoredEvent } from '../contract/index.ts';
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
  | {
      do: 'cell.finish';
      outcome: EventOf<'session.finished'>['outcome'];
      detail: string | null;
    };

/** How each kind of event is read; kinds that are not here say nothing of runs. */
type Readers = {
  [T in EventType]?: (body: EventOf<T>, attemptId: string) => RunChange;
};

const READERS: Readers = {
  'run.created': ofRun,
  'run.resumed': ({ owner }) => ({ do: 'run.resume', owner }),
  'run.finished': ({ outcome }) => ({ do: 'run.finish', state: outcome }),
  'attempt.started': ({ number }, attemptId) => ({ do: 'cell.begin', attemptId, number }),
  'step.finished': ({ step }, attemptId) => ({ do: 'cell.step', attemptId, step }),
  'attempt.finished': ofEnding,
  'patch.made': ({ files, insertions, deletions, blob }, attemptId) => {
    return { do: 'cell.patch', attemptId, files: files.length, insertions, deletions, blob };
  },
  'grading.finished': ({ result }, attemptId) => ({ do: 'cell.grade', attemptId, grading: result }),
  'cell.analysed': ({ premature, suspicions, energyJoules }, attemptId) => {
    const found = { premature, suspicions: JSON.stringify(suspicions), energyJoules };
    return { do: 'cell.analyse', attemptId, ...found };
  },
  'cell.labelled': ({ label, note }) => {
    return { do: 'cell.label', label: label === null ? null : JSON.stringify({ label, note }) };
  },
  'session.interrupted': () => ({ do: 'cell.interrupt' }),
  'session.finished': ({ outcome, detail }) => ({ do: 'cell.finish', outcome, detail }),
};

/** What an event means for the rows of its run or cell. Pure, and independent of what came before. */
export function projectRun({ body, attemptId }: StoredEvent): RunChange[] {
  if (body.type === 'session.created') return body.cell === undefined ? [] : [ofCell(body.cell)];
  // The reader under a kind's name is the one for its body.
  const read = READERS[body.type] as
    | ((body: EventBody, attemptId: string) => RunChange)
    | undefined;
  return read === undefined ? [] : [read(body, attemptId ?? '')];
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

/** Of an attempt that ended by itself the grading is still to come. */
function ofEnding(body: EventOf<'attempt.finished'>, attemptId: string): RunChange {
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
