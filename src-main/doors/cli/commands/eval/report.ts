import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportFormat } from '../../../../contract/index.ts';
import { VivariumError } from '../../../../lib/index.ts';
import type { Console } from '../../console.ts';
import { outFolder } from '../../out-folder.ts';
import { pathText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

export interface ReportOptions {
  compare?: string;
  format: ReportFormat;
  out?: string;
}

/** `vivarium eval report`: a page goes to a file, whose path is printed; the others to stdout unless told. */
export async function reportEval(
  console: Console,
  run: string,
  { compare, format, out }: ReportOptions,
): Promise<number> {
  if (out !== undefined) outFolder(path.dirname(path.resolve(out)));
  const { name, bytes } = await withCore(console, ({ core }) =>
    core.evaluations.report(run, { with: compare, format }),
  );
  if (out === undefined && format !== 'html') {
    console.out(new TextDecoder().decode(bytes));
    return 0;
  }
  const file = path.resolve(out ?? name);
  try {
    await writeFile(file, bytes);
  } catch (cause) {
    throw new VivariumError(
      'out_unwritable',
      `cannot write ${file}`,
      'Name a file that you can write with --out.',
      cause,
    );
  }
  console.out(`${pathText(file)}\n`);
  return 0;
}
