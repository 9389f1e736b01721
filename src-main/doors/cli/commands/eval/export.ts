import type { RunExportFormat } from '../../../../contract/index.ts';
import type { ExportReport } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError } from '../../failure.ts';
import { outFolder } from '../../out-folder.ts';
import { plural } from '../../render/format.ts';
import { jsonText, oneLine, pathText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

export interface ExportEvalOptions {
  format?: RunExportFormat;
  out?: string;
  to?: string;
  header?: string[];
  content?: boolean;
  experiment?: string;
  python?: string;
  json?: boolean;
}

/** `vivarium eval export`: where it lies; what was left out goes to stderr. */
export async function exportEval(
  console: Console,
  run: string,
  options: ExportEvalOptions,
): Promise<number> {
  const { out, to, header, content, experiment, python, json } = options;
  // Commander lets none but these through.
  const format = required(
    options.format,
    'there is no form to export',
    'Name one with --format; `vivarium eval export --help` lists them.',
  ) as RunExportFormat;
  const request = {
    ...{ format, to, content, experiment, python, headers: header },
    out: out === undefined ? undefined : outFolder(out),
  };
  const report = await withCore(
    console,
    async ({ core, signal }) => {
      try {
        return await core.evaluations.export(run, { ...request, signal });
      } catch (thrown) {
        const next = 'Run the command again; the files it had written are removed.';
        throw signal.aborted ? stoppedError(next, thrown) : thrown;
      }
    },
    { onStop: () => console.err('stopping\n'), onKill: () => undefined },
  );
  for (const note of report.notes) console.err(`${oneLine(note)}\n`);
  console.out(json ? jsonText(report) : lineOf(report));
  return 0;
}

function lineOf({ folder, files, cells }: ExportReport): string {
  if (folder === null) return `sent ${plural(cells, 'cell')}\n`;
  return `${pathText(folder)}: ${plural(cells, 'cell')} in ${plural(files, 'file')}\n`;
}
