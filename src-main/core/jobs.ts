import type { Job, JobName } from '../contract/index.ts';
import { VivariumError } from '../lib/index.ts';
import type { Environment } from './environment.ts';

/** A piece of work, and how it is watched. */
export interface Work<T, R> {
  name: JobName;
  subject: string;
  input: Record<string, unknown>;
  /** Items kept for those who come later or read slowly; of more, the oldest go. */
  most: number;
  run: (tell: (item: T) => void, signal: AbortSignal) => Promise<R>;
}

/** Work that belongs to the core: whoever asked for it may go, and another may come and watch. */
export interface Jobs {
  /**
   * Begins the work, or joins it where it runs: kept items first, then those to come, then its end.
   * Taking no more only ends the watching; the signal, aborted, cancels the work.
   * @throws VivariumError `usage` when it runs with another input; what the work throws
   */
  watch<T, R>(work: Work<T, R>, signal: AbortSignal): AsyncGenerator<T, R, void>;
  list(): Job[];
  /** Resolves when it has ended; `false` = there was none. */
  cancel(name: JobName, subject: string): Promise<boolean>;
}

interface Running {
  facts: Job;
  stop: AbortController;
  /** The newest items, and how many there were in all. */
  items: unknown[];
  told: number;
  ended: boolean;
  done: Promise<unknown>;
  watchers: Set<() => void>;
}

const known = new WeakMap<Environment, Jobs>();

/** The jobs of an environment, made once; closing that cancels all and waits for them. */
export function jobsOf(environment: Environment): Jobs {
  const made = known.get(environment) ?? createJobs((ending) => environment.onClose(ending));
  known.set(environment, made);
  return made;
}

export function createJobs(onClose: (ending: () => Promise<void>) => void): Jobs {
  const running = new Map<string, Running>();
  const cancel = async (job: Running, why: string): Promise<void> => {
    job.stop.abort(new Error(why));
    await job.done.catch(() => undefined);
  };
  onClose(async () => {
    await Promise.all([...running.values()].map((job) => cancel(job, 'the app is closing')));
  });
  return {
    async *watch<T, R>(work: Work<T, R>, signal: AbortSignal): AsyncGenerator<T, R, void> {
      const job = await joined(running, work, signal);
      const onAbort = (): void => job.stop.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      try {
        yield* itemsOf<T>(job);
        // What its own `run` resolved with.
        return (await job.done) as R;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    list: () => [...running.values()].map(({ facts }) => facts),
    async cancel(name, subject) {
      const job = running.get(keyOf({ name, subject }));
      if (job === undefined) return false;
      await cancel(job, 'cancelled');
      return true;
    },
  };
}

/** The job of this name and subject; one that was cancelled is waited for, and begun anew. */
async function joined<T, R>(
  running: Map<string, Running>,
  work: Work<T, R>,
  signal: AbortSignal,
): Promise<Running> {
  for (;;) {
    signal.throwIfAborted();
    const there = running.get(keyOf(work));
    if (there === undefined) return begin(running, work);
    if (!there.stop.signal.aborted) {
      if (JSON.stringify(there.facts.input) === JSON.stringify(work.input)) return there;
      throw runsOtherwise(work.subject);
    }
    await there.done.catch(() => undefined);
  }
}

function begin<T, R>(running: Map<string, Running>, work: Work<T, R>): Running {
  const { name, subject, input, most, run } = work;
  const key = keyOf(work);
  const stop = new AbortController();
  const job: Running = {
    facts: { name, subject, input, startedAt: Date.now() },
    ...{ stop, items: [], told: 0, ended: false, watchers: new Set(), done: Promise.resolve() },
  };
  const wake = (): void => {
    for (const watcher of job.watchers) watcher();
  };
  const tell = (item: T): void => {
    job.items.push(item);
    if (job.items.length > most) job.items.shift();
    job.told += 1;
    wake();
  };
  running.set(key, job);
  job.done = run(tell, stop.signal).finally(() => {
    running.delete(key);
    job.ended = true;
    wake();
  });
  // A failure is thrown to those who watch; without any it is told where the work leaves its traces.
  job.done.catch(() => undefined);
  return job;
}

async function* itemsOf<T>(job: Running): AsyncGenerator<T, void, void> {
  let taken = 0;
  for (;;) {
    while (taken < job.told) {
      const first = job.told - job.items.length;
      taken = Math.max(taken, first) + 1;
      yield job.items[taken - 1 - first] as T;
    }
    if (job.ended) return;
    await news(job, () => taken < job.told || job.ended);
  }
}

function news({ watchers }: Running, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isThere()) return;
      watchers.delete(look);
      resolve();
    };
    watchers.add(look);
    look();
  });
}

function keyOf({ name, subject }: Pick<Job, 'name' | 'subject'>): string {
  return `${name}\n${subject}`;
}

function runsOtherwise(subject: string): VivariumError {
  return new VivariumError(
    'usage',
    `the same work on ${subject} runs already, with other options`,
    'Wait until it is done, or cancel it first.',
  );
}
