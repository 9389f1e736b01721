import { VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import type { EvalOptions, EvalRequest } from './types.ts';

/** Runs that go on in the background of this process. */
export interface RunRunner {
  /** Resolves with the id once the run is on record. @throws VivariumError what speaks against it */
  start(request: EvalRequest, signal: AbortSignal): Promise<string>;
  /** Resolves once the run goes on. @throws VivariumError why it cannot */
  resume(run: string, options: { retryInfra: boolean; signal: AbortSignal }): Promise<string>;
  /** Resolves when it has ended. @throws VivariumError `usage` when another process runs it */
  stop(run: string): Promise<void>;
  isRunning(runId: string): boolean;
}

interface Running {
  stop: AbortController;
  ended: Promise<void>;
}

const runners = new WeakMap<Environment, RunRunner>();

/** The runner of an environment, made once. Closing the core ends its runs in order. */
export function runRunner(environment: Environment): RunRunner {
  const made = runners.get(environment) ?? createRunRunner(environment);
  runners.set(environment, made);
  return made;
}

function createRunRunner(environment: Environment): RunRunner {
  const running = new Map<string, Running>();
  const launch = launcher(running);
  return {
    start: (request, signal) =>
      launch(signal, async (options) =>
        (await import('./run.ts')).startRun(environment, request, options),
      ),
    async resume(run, { retryInfra, signal }) {
      const { runId } = environment.store.run(run);
      return launch(signal, async (options) =>
        (await import('./resume.ts')).resumeRun(environment, runId, { ...options, retryInfra }),
      );
    },
    async stop(run) {
      const { runId, state } = environment.store.run(run);
      const entry = running.get(runId);
      if (entry === undefined && state === 'running') throw runsElsewhere(runId);
      entry?.stop.abort(new Error('the user stopped it'));
      await entry?.ended;
    },
    isRunning: (runId) => running.has(runId),
  };
}

/** Until the run is on record the signal ends it; from then on only `stop` does. */
function launcher(running: Map<string, Running>) {
  return (signal: AbortSignal, run: (options: EvalOptions) => Promise<unknown>) => {
    const stop = new AbortController();
    const cancel = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let runId: string | null = null;
    const onRecorded = (id: string): void => {
      signal.removeEventListener('abort', cancel);
      runId = id;
      running.set(id, { stop, ended });
      resolve(id);
    };
    const ended: Promise<void> = run({ signal: stop.signal, onRecorded })
      // A run that is on record tells its failure there; before, it is the caller's to know.
      .then(() => undefined, reject)
      .finally(() => {
        signal.removeEventListener('abort', cancel);
        if (runId !== null) running.delete(runId);
      });
    return promise;
  };
}

function runsElsewhere(runId: string): VivariumError {
  return new VivariumError(
    'usage',
    `run ${runId} is run by another process`,
    'Stop it where it was started: press Ctrl-C there.',
  );
}
