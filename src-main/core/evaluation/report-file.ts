import type { OutputOf, ReportFormat } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { runReader } from './run-reader.ts';

/** A report as one file; see `evaluation/report`. */
export async function reportFile(
  environment: Environment,
  { run, format }: { run: string; with: string | null; format: ReportFormat },
): Promise<OutputOf<'evaluation/report'>> {
  const { runId } = environment.store.run(run);
  const question = { about: 'report', run: runId, stoppable: false, now: Date.now() } as const;
  const report = await runReader(environment).ask(question);
  const bytes = Buffer.from(JSON.stringify(report, null, 2));
  return {
    name: `vivarium-${runId.slice(0, 8)}.${format}`,
    mime: 'application/json',
    base64: bytes.toString('base64'),
  };
}
