import process from 'node:process';
import type { Core } from '../../core/index.ts';
import { nodeProgram, ownScript } from '../../lib/index.ts';
import type { Console } from './console.ts';
import { vivariumHome } from './home.ts';
import { listenForInterrupts } from './interrupt.ts';

/** How long an end that was asked for twice may take to remove workspaces. */
const CLOSE_WITHIN_MS = 5000;
/** How long an end in order may take: removals of workspaces wait for the container engine. */
const END_WITHIN_MS = 60_000;

export interface CoreUse {
  core: Core;
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
}

/** What a command that can be stopped in an orderly way says at the first Ctrl-C. */
export interface Stoppable {
  onStop: () => void;
  /** Before the end at once: to leave the terminal clean. */
  onKill: () => void;
}

async function closeWithin(core: Core, limitMs: number): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([core.close().catch(() => undefined), limit.promise]);
  clearTimeout(timer);
}

/**
 * Opens the core for one command and closes it again, whatever happens. Ctrl-C ends commands that
 * are not `stoppable` at once; the others only at the second one. In both cases the core is closed
 * first, so that no workspace or server stays behind.
 */
export async function withCore<T>(
  console: Console,
  action: (use: CoreUse) => Promise<T>,
  stoppable?: Stoppable,
): Promise<T> {
  let core: Core | undefined;
  let ending = false;
  const endNow = async (exitCode: number): Promise<void> => {
    // A third Ctrl-C does not wait for anything.
    if (ending) process.exit(exitCode);
    ending = true;
    stoppable?.onKill();
    if (core !== undefined) await closeWithin(core, CLOSE_WITHIN_MS);
    process.exit(exitCode);
  };
  const interrupts = listenForInterrupts({
    onFirst: (exitCode) => {
      if (stoppable === undefined) void endNow(exitCode);
      else stoppable.onStop();
    },
    onSecond: (exitCode) => void endNow(exitCode),
  });
  try {
    const { createCore } = await import('../../core/index.ts');
    core = createCore({
      home: vivariumHome(console.env),
      env: console.env,
      keeperCommand: [nodeProgram(), ownScript('cli'), 'models', 'keep'],
    });
    return await action({ core, signal: interrupts.signal });
  } finally {
    // `endNow` has the last word: what fails because it closed the core is no news.
    if (ending) await new Promise<never>(() => undefined);
    // Ctrl-C during the closing still counts. What does not close must not keep the command for ever.
    if (core !== undefined) await closeWithin(core, END_WITHIN_MS);
    interrupts.end();
  }
}
