import type { Console } from '../../console.ts';
import { renderCells, renderRun } from '../../render/eval.ts';
import { jsonText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

/** `vivarium eval show`. */
export async function showEval(
  console: Console,
  run: string,
  { json }: { json?: boolean },
): Promise<number> {
  const details = await withCore(console, ({ core }) => core.evaluations.show(run));
  const columns = console.outColumns();
  if (json) console.out(jsonText(details));
  else console.out(`${renderRun(details, columns)}\n${renderCells(details, columns)}`);
  return 0;
}
