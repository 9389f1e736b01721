import type { RunEntry } from '../../contract/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import type { RunParts } from './types.ts';

/** A server that was opened anew so often without a reply will not get better. */
const MOST_REOPENINGS = 2;

/** The model of an entry for the time of its cells; opened anew when its server died. */
export interface EntryModel {
  handle(): ModelHandle;
  /**
   * To be called when the server failed for an attempt on `failed`. `alive`: it answers, so the fault
   * is the attempt's own. `reopened`: it was dead, and another one runs.
   * @throws VivariumError when it cannot be had any more
   */
  recover(failed: ModelHandle): Promise<'alive' | 'reopened'>;
  /** It gave a reply. */
  worked(): void;
  close(): Promise<void>;
}

/** @throws VivariumError why the model cannot be opened; the signal's reason */
export async function openEntryModel(
  entry: RunEntry,
  { openModel, signal }: Pick<RunParts, 'openModel' | 'signal'>,
): Promise<EntryModel> {
  let current = await openModel(entry);
  let reopenings = 0;
  let recovering: Promise<'alive' | 'reopened'> | undefined;

  async function recoverNow(): Promise<'alive' | 'reopened'> {
    const fault = await current.gone(signal);
    if (fault === null) return 'alive';
    reopenings += 1;
    if (reopenings > MOST_REOPENINGS) throw givenUp(entry, fault);
    await current.close();
    current = await openModel(entry);
    return 'reopened';
  }

  return {
    handle: () => current,
    recover(failed) {
      if (failed !== current) return Promise.resolve('reopened');
      // All workers meet the same dead server; one of them looks after it.
      recovering ??= recoverNow().finally(() => (recovering = undefined));
      return recovering;
    },
    worked: () => void (reopenings = 0),
    close: () => current.close(),
  };
}

function givenUp(entry: RunEntry, cause: unknown): VivariumError {
  return new VivariumError(
    'engine_failed',
    `the server of ${entry.modelName} dies again and again: ${messageOf(cause)}`,
    'See the log of the server; then go on with `vivarium eval run --resume`.',
    cause,
  );
}
