import { existsSync } from 'node:fs';
import { processIdentity } from '../../lib/index.ts';
import { putUp, removeFile, type ServerFiles } from './files.ts';

/** Asks the owner of a server to stop it. */
export function requestStop(files: ServerFiles): void {
  putUp(files.stop, JSON.stringify({ by: processIdentity(), at: Date.now() }));
}

/**
 * Calls `onRequest` once when another process asks for the stop. A look at one file a few times a
 * second costs nothing to speak of and works on every file system, unlike a watch.
 */
export function listenForStop(
  files: ServerFiles,
  pollMs: number,
  onRequest: () => void,
): { close(): void } {
  const timer = setInterval(() => {
    if (!existsSync(files.stop)) return;
    clearInterval(timer);
    onRequest();
  }, pollMs);
  return {
    close: () => {
      clearInterval(timer);
      removeFile(files.stop);
    },
  };
}
