/** The process that `guard.ts` starts. Small until it has something to do. */
import { setTimeout as delay } from 'node:timers/promises';

/** Nothing of ours outlives the app by more than 5 s. */
const LAST_MOMENT_MS = 4_500;
const PAUSE_MS = 500;

const [home = ''] = process.argv.slice(2);

/** Again and again: the engine can still be making what the dead process asked for last. */
async function removeOrphans(): Promise<never> {
  setTimeout(() => process.exit(0), LAST_MOMENT_MS);
  const { connectEngine } = await import('./engine.ts');
  const { reapOrphans } = await import('./reap.ts');
  const engine = await connectEngine();
  for (;;) {
    // What is just being removed by the engine itself answers with a conflict.
    await reapOrphans(engine, home).catch(() => undefined);
    await delay(PAUSE_MS);
  }
}

process.stdin.resume();
process.stdin.once('end', () => {
  removeOrphans().catch(() => process.exit(1));
});
