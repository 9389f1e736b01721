import type { Console } from '../console.ts';
import { stoppedError } from '../failure.ts';
import { jsonText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** `vivarium rollout`: phases on stderr, the reward as one JSON object on stdout. */
export async function rollout(console: Console): Promise<number> {
  const reward = await withCore(
    console,
    async ({ core, signal }) => {
      try {
        return await core.rollout({
          signal,
          onPhase: (text) => console.err(`${text}\n`),
        });
      } catch (thrown) {
        throw signal.aborted ? stoppedError('No reward was posted.', thrown) : thrown;
      }
    },
    { onStop: () => console.err('stopping: no reward is posted\n'), onKill: () => undefined },
  );
  console.out(jsonText(reward));
  return 0;
}
