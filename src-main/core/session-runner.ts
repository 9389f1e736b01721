import { VivariumError } from '../lib/index.ts';
import type { Environment } from './environment.ts';
import { fix, type Beginning } from './fix.ts';
import { followUp, type FollowUpRequest } from './follow-up.ts';
import { resume } from './resume.ts';
import type { FixOptions, FixRequest } from './types.ts';

/** Sessions that run in the background of this process. */
export interface SessionRunner {
  /**
   * Resolves with the id once the session is on record; what comes after is told by its events.
   * Until then the signal ends it and leaves nothing. `beginning`: not with the repository as it is.
   * @throws VivariumError what speaks against the start
   */
  start(request: FixRequest, signal?: AbortSignal, beginning?: Beginning | null): Promise<string>;
  /** As `start`, for a session that goes on from a reviewed patch. */
  followUp(request: FollowUpRequest, signal?: AbortSignal): Promise<string>;
  /** Resolves once the session goes on. @throws VivariumError why it cannot */
  resume(session: string, signal?: AbortSignal): Promise<void>;
  /**
   * Ends the running attempts and resolves when the session has ended; of one that has ended: nothing.
   * @throws VivariumError `usage` when another process runs it
   */
  stop(session: string): Promise<void>;
  isRunning(sessionId: string): boolean;
  /** Ids of those that run now. */
  running(): string[];
}

interface Running {
  stop: AbortController;
  ended: Promise<void>;
}

/** Runs a session and says when it is on record. */
type Run = (options: FixOptions) => Promise<unknown>;

const runners = new WeakMap<Environment, SessionRunner>();

/** The runner of an environment, made once; closing that ends all sessions and waits for them. */
export function sessionRunner(environment: Environment): SessionRunner {
  const known = runners.get(environment);
  if (known !== undefined) return known;
  const made = createSessionRunner(environment);
  runners.set(environment, made);
  return made;
}

function createSessionRunner(environment: Environment): SessionRunner {
  const running = new Map<string, Running>();
  const launch = createLauncher(environment, running);
  return {
    start: (request, signal, beginning) =>
      launch((options) => fix(environment, request, options, beginning ?? undefined), { signal }),
    followUp: (request, signal) =>
      launch((options) => followUp(environment, request, options), { signal }),
    async resume(session, signal) {
      const { sessionId } = environment.store.session(session);
      if (running.has(sessionId)) throw alreadyRunning(sessionId);
      await launch((options) => resume(environment, sessionId, options), { signal, sessionId });
    },
    async stop(session) {
      const { sessionId, state } = environment.store.session(session);
      const entry = running.get(sessionId);
      if (entry === undefined && state === 'running') throw runsElsewhere(sessionId);
      entry?.stop.abort(new Error('the user stopped it'));
      await entry?.ended;
    },
    isRunning: (sessionId) => running.has(sessionId),
    running: () => [...running.keys()],
  };
}

function createLauncher(environment: Environment, running: Map<string, Running>) {
  /** With those that are not on record yet. */
  const all = new Set<Running>();
  environment.onClose(async () => {
    for (const { stop } of all) stop.abort(new Error('the app is closing'));
    await Promise.all([...all].map(({ ended }) => ended));
  });

  /** Runs in the background; resolves as soon as the session is on record. */
  return (
    run: Run,
    { signal, sessionId: known }: { signal?: AbortSignal | undefined; sessionId?: string },
  ): Promise<string> => {
    const stop = new AbortController();
    const release = passOn(signal, stop);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let entry: Running | undefined;
    let sessionId = known;
    const options: FixOptions = {
      signal: stop.signal,
      onProgress: (progress) => {
        sessionId ??= progress.sessionId;
        environment.live.report(progress);
      },
      onRecorded: (id) => {
        // From here on only `stop` ends it: a client that goes away leaves it running.
        release();
        if (entry !== undefined) running.set(id, entry);
        resolve(id);
      },
    };
    const ended = run(options)
      // A session that is on record tells its failure there; before, it is the caller's to know.
      .then(() => undefined, reject)
      .finally(() => {
        release();
        if (entry !== undefined) all.delete(entry);
        if (sessionId === undefined) return;
        running.delete(sessionId);
        environment.live.forget(sessionId);
      });
    entry = { stop, ended };
    all.add(entry);
    if (known !== undefined) running.set(known, entry);
    return promise;
  };
}

/** Until it is released, the end of the one is the end of the other. */
function passOn(signal: AbortSignal | undefined, stop: AbortController): () => void {
  const cancel = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
}

function alreadyRunning(sessionId: string): VivariumError {
  return new VivariumError(
    'usage',
    `session ${sessionId} is running already`,
    'Watch it, or stop it first.',
  );
}

function runsElsewhere(sessionId: string): VivariumError {
  return new VivariumError(
    'usage',
    `session ${sessionId} is run by another process`,
    'Stop it where it was started: press Ctrl-C there.',
  );
}
