import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderSync } from '../../../lib/index.ts';
import { type BoundedLog, openBoundedLog } from '../../log/index.ts';

/** Lines of one engine process: all in a bounded file, the last ones and the first error here. */
export type EngineLog = Pick<BoundedLog, 'file' | 'cause' | 'close'> & {
  add(line: string): void;
};

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 20;
const NAME = /^llamacpp-.*\.log$/;

/** Opens a new log file in `HOME/logs` and removes the oldest ones of earlier engines. */
export function openEngineLog(home: string, name: string): EngineLog {
  const folder = join(home, 'logs');
  makeFolderSync(folder, 0o700);
  removeOldest(folder);
  const file = join(folder, `llamacpp-${name}.log`);
  return openBoundedLog({ file, fileBytes: MAX_FILE_BYTES, files: 1 });
}

/** Names begin with the time, so their order is the order of age. */
function removeOldest(folder: string): void {
  const logs = readdirSync(folder).filter((name) => NAME.test(name));
  for (const name of logs.toSorted().slice(0, Math.max(0, logs.length - MAX_FILES + 1))) {
    rmSync(join(folder, name), { force: true });
  }
}
