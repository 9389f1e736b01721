import type { Regraded } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { stoppedError } from '../../failure.ts';
import { plural } from '../../render/format.ts';
import { jsonText, oneLine } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

/** `vivarium eval regrade`: what changed, a line each. */
export async function regrade(
  console: Console,
  run: string,
  { tests, json }: { tests?: boolean; json?: boolean },
): Promise<number> {
  const result = await withCore(
    console,
    async ({ core, signal }) => {
      try {
        return await core.evaluations.regrade(run, { tests, signal });
      } catch (thrown) {
        const next = 'What was graded again is on record; run the command again for the rest.';
        throw signal.aborted ? stoppedError(next, thrown) : thrown;
      }
    },
    { onStop: () => console.err('stopping\n'), onKill: () => undefined },
  );
  console.out(json ? jsonText(result) : linesOf(result));
  return 0;
}

function linesOf({ cells, changed, skipped }: Regraded): string {
  const place = (at: { task: string; entry: string; seed: number }) =>
    oneLine(`${at.task} (${at.entry}, seed ${at.seed})`);
  return [
    `graded again: ${plural(cells, 'cell')}, ${plural(changed.length, 'verdict')} changed`,
    ...changed.map((one) => `${place(one)}: ${oneLine(one.before)} -> ${oneLine(one.after)}`),
    ...skipped.map((one) => `not graded: ${place(one)}: ${oneLine(one.why)}`),
    '',
  ].join('\n');
}
