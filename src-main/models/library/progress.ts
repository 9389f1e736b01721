import type { AddProgress } from '../servers/library-types.ts';

const INTERVAL_MS = 50;

export interface ProgressCounter {
  /** Another file begins. */
  file(path: string): void;
  add(bytes: number): void;
}

/** Tells of bytes done, at most 20 times a second, and at the start and end of each file. */
export function countProgress(
  phase: AddProgress['phase'],
  totalBytes: number,
  onProgress: (progress: AddProgress) => void = () => {},
): ProgressCounter {
  let doneBytes = 0;
  let file = '';
  let toldAt = 0;
  const tell = (): void => {
    toldAt = performance.now();
    onProgress({ phase, file, doneBytes, totalBytes });
  };
  return {
    file(path) {
      file = path;
      tell();
    },
    add(bytes) {
      doneBytes += bytes;
      if (doneBytes >= totalBytes || performance.now() - toldAt >= INTERVAL_MS) tell();
    },
  };
}
