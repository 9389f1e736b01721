import process from 'node:process';
import { processConsole } from './console.ts';
import { runCli } from './run-cli.ts';

/** Waits until what was written has left this process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.write('', () => resolve());
  });
}

// The one file that works when it is loaded: it is what `vivarium` runs.
const exitCode = await runCli(process.argv.slice(2), processConsole());
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Not left to the event loop: a command that is done must not hang on a forgotten handle.
process.exit(exitCode);
