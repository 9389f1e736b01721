import type { Console } from '../../console.ts';
import { renderRuns } from '../../render/eval.ts';
import { jsonText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

/** `vivarium eval list`. */
export async function listEvals(console: Console, { json }: { json?: boolean }): Promise<number> {
  const runs = await withCore(console, ({ core }) => Promise.resolve(core.evaluations.list()));
  if (json) console.out(jsonText(runs));
  else if (runs.length > 0) console.out(renderRuns(runs, Date.now(), console.outColumns()));
  else console.err('There are no runs yet. Begin one with `vivarium eval run`.\n');
  return 0;
}
