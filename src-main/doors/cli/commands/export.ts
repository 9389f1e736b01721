import type { ExportFormat } from '../../../core/index.ts';
import type { Console } from '../console.ts';
import { required } from '../failure.ts';
import { outFolder } from '../out-folder.ts';
import { jsonText, pathText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** `vivarium export`: one path a line. */
export async function exportFiles(
  console: Console,
  id: string,
  options: { out?: string; format: ExportFormat; json?: boolean },
): Promise<number> {
  const { format, json } = options;
  const out = outFolder(
    required(options.out, 'there is no folder to write to', 'Name one with --out DIR.'),
  );
  const files = await withCore(console, ({ core }) => core.export(id, { out, format }));
  console.out(json ? jsonText({ files }) : files.map((file) => `${pathText(file)}\n`).join(''));
  return 0;
}
