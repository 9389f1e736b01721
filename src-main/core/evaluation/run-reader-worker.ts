/** Body of the thread of `run-reader.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { VivariumError } from '../../lib/index.ts';
import { openStore } from '../../store/index.ts';
import { readRun, type Question } from './read-run.ts';
import type { Asked, Told } from './run-reader.ts';

const { file } = z.object({ file: z.string() }).parse(workerData);
const store = openStore(file);

parentPort?.on('message', ({ id, question }: Asked) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, ...told(question) } satisfies Told);
});

function told(question: Question): { json: string } | { fault: [string, string, string] } {
  try {
    return { json: readRun(store, question) };
  } catch (error) {
    if (error instanceof VivariumError) return { fault: [error.code, error.message, error.next] };
    return { fault: ['internal', String(error), ''] };
  }
}
