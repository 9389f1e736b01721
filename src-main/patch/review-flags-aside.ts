import { Worker } from 'node:worker_threads';
import type { ReviewFlag } from '../contract/index.ts';
import { ownScript } from '../lib/index.ts';
import { patchInvalid } from './patch-invalid.ts';
import { reviewFlags } from './review-flags.ts';

/** A smaller patch is read in the time that a thread takes to start. */
const ASIDE_FROM_BYTES = 128 * 1024;

/** What the worker says. */
export type FlagsAnswer = { flags: ReviewFlag[] } | { invalid: true };

/**
 * {@link reviewFlags} beside the main thread: a patch of some hundred thousand lines takes seconds.
 * @throws VivariumError `patch_invalid`
 */
export async function reviewFlagsAside(patch: Uint8Array): Promise<ReviewFlag[]> {
  if (patch.length < ASIDE_FROM_BYTES) return reviewFlags(patch);
  const worker = new Worker(ownScript('review-flags'), {
    workerData: patch,
    env: {},
    execArgv: [],
  });
  try {
    const answer = await new Promise<FlagsAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the worker ended without an answer')));
    });
    if ('flags' in answer) return answer.flags;
    throw patchInvalid();
  } finally {
    await worker.terminate();
  }
}
