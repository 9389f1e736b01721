import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import process from 'node:process';

const STDOUT = 1;

export interface ReaderWatch {
  /** Aborted when the pipe that stdout is has no reader any more. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Tells when nobody reads our stdout any more, without writing to it: a log that says nothing more
 * would else be followed for ever for a `head` that is gone. Node has no way to ask; GNU's tail looks
 * at its own stdout, which is ours here, and ends with this process. Where there is no such tail, or
 * stdout is no pipe, it never tells.
 */
export function watchReader(): ReaderWatch {
  const gone = new AbortController();
  if (!fstatSync(STDOUT).isFIFO()) return { signal: gone.signal, end: () => undefined };
  const tail = spawn('tail', [`--pid=${process.pid}`, '-f', '/dev/null'], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') gone.abort(new Error('nobody reads the output any more'));
  });
  return { signal: gone.signal, end: () => void tail.kill('SIGKILL') };
}
