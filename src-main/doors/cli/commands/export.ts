import type { SessionResult } from '../../../contract/index.ts';
import type { ExportFormat } from '../../../core/index.ts';
import type { Console } from '../console.ts';
import { required } from '../failure.ts';
import { outFolder } from '../out-folder.ts';
import { jsonText, pathText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** Files named of what was rejected; there may be any number. */
const NAMED = 3;

type Rejected = NonNullable<NonNullable<SessionResult['patch']>['rejected']>;

/** What is written is not all that the model did, or is so although a person rejected some of it. */
function rejectedNote(rejected: Rejected, format: ExportFormat): string {
  const paths = [...new Set(rejected.map(({ path }) => path))];
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : '';
  const parts = rejected.length === 1 ? '1 part' : `${rejected.length} parts`;
  const what = `${parts} of the patch rejected in the review`;
  const where = `${paths.slice(0, NAMED).map(pathText).join(', ')}${more}`;
  return format === 'leaf'
    ? `note: trajectories hold the whole patch, with ${what} (${where})\n`
    : `note: left out: ${what} (${where})\n`;
}

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
  const { files, rejected } = await withCore(console, async ({ core }) => ({
    files: await core.export(id, { out, format }),
    rejected: core.result(id).patch?.rejected ?? [],
  }));
  if (rejected.length > 0) console.err(rejectedNote(rejected, format));
  const lines = files.map((file) => `${pathText(file)}\n`).join('');
  console.out(json ? jsonText({ files, rejected }) : lines);
  return 0;
}
