export interface QuitWishes {
  /** Sessions that would be stopped. */
  running: () => number;
  /** Asks the person; true = stop them and quit. */
  ask: (running: number) => Promise<boolean>;
  /** The person wants to stay. */
  onKeep: () => void;
  /** Ends the core in order; may take its time. */
  close: () => Promise<void>;
  /** Ends the program at once. */
  exit: () => void;
  /** How long `close` may take. */
  deadlineMs: number;
}

/**
 * Listener for `before-quit`. The first time asks while something runs, then ends in order, but not
 * for longer than the deadline; a second time, whatever is asked or waited for, ends at once.
 */
export function createQuitGuard(wishes: QuitWishes): (event: { preventDefault(): void }) => void {
  let state: 'open' | 'asking' | 'closing' | 'over' = 'open';

  async function quit(): Promise<void> {
    const running = wishes.running();
    if (running > 0) {
      state = 'asking';
      // A question that cannot be shown keeps nobody here.
      const leaves = await wishes.ask(running).catch(() => true);
      if (state !== 'asking') return;
      if (!leaves) {
        state = 'open';
        wishes.onKeep();
        return;
      }
    }
    await end();
  }

  async function end(): Promise<void> {
    state = 'closing';
    await within(wishes.close(), wishes.deadlineMs);
    leave();
  }

  function leave(): void {
    if (state === 'over') return;
    state = 'over';
    wishes.exit();
  }

  return (event) => {
    if (state === 'over') return;
    event.preventDefault();
    if (state === 'closing') leave();
    else if (state === 'asking') void end();
    else void quit();
  };
}

async function within(work: Promise<void>, limitMs: number): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work.catch(() => undefined), limit.promise]);
  clearTimeout(timer);
}
