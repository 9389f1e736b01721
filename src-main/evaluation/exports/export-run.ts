import { readdir } from 'node:fs/promises';
import type { RunExportFormat } from '../../contract/index.ts';
import { exportAtif } from './atif/export-atif.ts';
import { exportMiniSweAgent } from './mini-swe-agent.ts';
import { exportOtlp, sendOtlp } from './otlp/export-otlp.ts';
import { inOutFolder, type OutFolder } from './out-folder.ts';
import { exportPredictions } from './predictions.ts';
import { exportResults } from './results.ts';
import { sendMlflow } from './trackers/mlflow.ts';
import { exportWandb } from './trackers/wandb.ts';
import type { ExportReport, ExportSource } from './types.ts';
import { checkedExport, targetOf, type ExportRequest } from './request.ts';

/**
 * Writes a run in one form into a new or empty folder, or sends it to the one address that the user
 * typed. The record is read cell by cell.
 * @throws VivariumError `usage`, `task_invalid`, `out_unwritable`, `disk_full`, `store_failed`,
 *   `endpoint_*`, `engine_failed`
 */
export async function exportRun(
  source: ExportSource,
  request: ExportRequest,
): Promise<ExportReport> {
  const checked = checkedExport(request);
  const notes: string[] = [];
  const { signal } = checked;
  if (checked.to !== undefined) {
    const target = targetOf(checked.to, checked.headers, signal);
    const cells =
      checked.format === 'mlflow'
        ? await sendMlflow(source, target, checked.experiment ?? source.run.name)
        : await sendOtlp(source, target, notes, { content: checked.content });
    return { folder: null, files: 0, cells, notes };
  }
  return inOutFolder(checked.out, async (out) => {
    const cells = await writeFormat(source, checked.format, out, notes, checked);
    await out.end();
    return { folder: out.folder, files: await filesIn(out.folder), cells, notes };
  });
}

function writeFormat(
  source: ExportSource,
  format: RunExportFormat,
  out: OutFolder,
  notes: string[],
  request: {
    content: boolean;
    python: string;
    experiment?: string | undefined;
    signal: AbortSignal;
  },
): Promise<number> {
  const { signal, python } = request;
  const stoppable = stoppableSource(source, signal);
  switch (format) {
    case 'results':
      return exportResults(stoppable, out);
    case 'mini-swe-agent':
      return exportMiniSweAgent(stoppable, out, notes);
    case 'swe-bench':
      return exportPredictions(stoppable, out, notes);
    case 'atif':
      return exportAtif(stoppable, out, notes);
    case 'otlp':
      return exportOtlp(stoppable, out, notes, request);
    case 'wandb':
      return exportWandb(source, out, {
        ...{ python, signal, project: request.experiment ?? 'vivarium' },
      });
    case 'mlflow':
      throw new Error('sent, never written');
  }
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Each look at the record is a place to stop at. */
function stoppableSource(source: ExportSource, signal: AbortSignal): ExportSource {
  const { store } = source;
  return {
    ...source,
    store: {
      events(filter) {
        signal.throwIfAborted();
        return store.events(filter);
      },
      blob: (hash) => store.blob(hash),
    },
  };
}
