/** Body of the thread of `review-flags-aside.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { VivariumError } from '../lib/index.ts';
import type { FlagsAnswer } from './review-flags-aside.ts';
import { reviewFlags } from './review-flags.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(answer(workerData as Uint8Array));

function answer(patch: Uint8Array): FlagsAnswer {
  try {
    return { flags: reviewFlags(patch) };
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'patch_invalid') return { invalid: true };
    throw error;
  }
}
