import { writeSync } from 'node:fs';
import { codeOf } from '../lib/index.ts';

/**
 * Says something on stdout, for children of tests: it is out when this returns. The other end of the
 * pipe may be behind, and takes some three hundred short lines at most: then it takes nothing for a
 * moment, and a plain write fails with EAGAIN.
 */
export function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
