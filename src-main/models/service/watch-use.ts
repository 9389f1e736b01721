import { isKeepRequested, otherUsers } from '../supervisor/index.ts';

/** Rule 7 leaves 5 s between the death of the last user and the end of its server. */
const LOOK_EVERY_MS = 300;

export interface UseWatch {
  /** Aborted once no other process that lives uses the server. */
  readonly unused: AbortSignal;
  /** Settles when somebody asks to keep it for good; then it is never unused. */
  readonly kept: Promise<void>;
  close(): void;
}

/** Watches the users of a server that is to live as long as it has any, from before its start on. */
export function watchUse(home: string, name: string): UseWatch {
  const unused = new AbortController();
  const kept = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (isKeepRequested(home, name)) kept.resolve();
    else if (otherUsers(home, name).length > 0) return;
    else unused.abort(new Error('nobody uses it any more'));
    clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
  return { unused: unused.signal, kept: kept.promise, close: () => clearInterval(timer) };
}
