import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Lines of one engine process: all in a bounded file, the last ones and the first error here. */
export interface EngineLog {
  readonly file: string;
  add(line: string): void;
  /** The first line that names an error; the last line otherwise; empty when nothing was printed. */
  cause(): string;
  close(): void;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINE_LENGTH = 4_000;
const MAX_FILES = 20;
const ERROR =
  /^(error|fatal)\b|GGML_ASSERT|CUDA error|terminate called|Segmentation fault|FATAL ERROR/i;
const NAME = /^llamacpp-.*\.log$/;

/** Opens a new log file in `HOME/logs` and removes the oldest ones of earlier engines. */
export function openEngineLog(home: string, name: string): EngineLog {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true });
  removeOldest(folder);
  const file = join(folder, `llamacpp-${name}.log`);
  const stream = createWriteStream(file, { flags: 'a' });
  // A full disk costs the log, not the model.
  stream.on('error', () => {});
  let written = 0;
  let firstError = '';
  let last = '';
  const write = (line: string): void => {
    if (written > MAX_FILE_BYTES) return;
    written += Buffer.byteLength(line) + 1;
    stream.write(
      written > MAX_FILE_BYTES ? 'The log is full; later lines are left out.\n' : `${line}\n`,
    );
  };
  return {
    file,
    add: (raw) => {
      const line = raw.slice(0, MAX_LINE_LENGTH);
      if (line.trim() !== '') last = line;
      if (firstError === '' && ERROR.test(line)) firstError = line;
      write(line);
    },
    cause: () => (firstError === '' ? last : firstError).trim(),
    close: () => stream.end(),
  };
}

/** Names begin with the time, so their order is the order of age. */
function removeOldest(folder: string): void {
  const logs = readdirSync(folder).filter((name) => NAME.test(name));
  for (const name of logs.toSorted().slice(0, Math.max(0, logs.length - MAX_FILES + 1))) {
    rmSync(join(folder, name), { force: true });
  }
}
