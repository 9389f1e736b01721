import type { OutputOf, ReportFormat } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Environment } from '../environment.ts';
import { runReader } from './run-reader.ts';

const MIMES: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html',
  md: 'text/markdown',
  json: 'application/json',
  csv: 'text/csv',
};

interface Asked {
  with: string | null;
  format: ReportFormat;
}

/** The report of a run as one file; see `Evaluations.report`. */
export async function reportRun(
  environment: Environment,
  idOrPrefix: string,
  asked: Asked,
): Promise<{ name: string; bytes: Uint8Array }> {
  const { name, base64 } = await reportFile(environment, { run: idOrPrefix, ...asked });
  return { name, bytes: Buffer.from(base64, 'base64') };
}

/** As {@link reportRun}, for the wire; see `evaluation/report`. */
export async function reportFile(
  environment: Environment,
  { run, with: second, format }: Asked & { run: string },
): Promise<OutputOf<'evaluation/report'>> {
  const { runId, name } = environment.store.run(run);
  const other = second === null ? null : environment.store.run(second).runId;
  if (other === runId) {
    throw new VivariumError(
      'usage',
      `run ${runId} cannot be compared with itself`,
      'Name another run; the entries of one run are compared in its report anyway.',
    );
  }
  const question = { about: 'file', run: runId, with: other, format } as const;
  const { base64 } = await runReader(environment).ask(question);
  return { name: fileName(name, runId, format), mime: MIMES[format], base64 };
}

/** Safe on every system, whatever the run is called. */
function fileName(name: string, runId: string, format: ReportFormat): string {
  const plain = name
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `eval-${plain === '' ? '' : `${plain}-`}${runId.slice(0, 8)}.${format}`;
}
