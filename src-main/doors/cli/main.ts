import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import { processConsole } from './console.ts';
import { tellFailure } from './failure.ts';
import { runCli } from './run-cli.ts';

/** Waits until what was written has left this process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.write('', () => resolve());
  });
}

function outputLost(cause: Error): VivariumError {
  return new VivariumError(
    'out_unwritable',
    `cannot write the result to standard output: ${cause.message}`,
    'Make room there or send it elsewhere; `vivarium sessions` lists what is on record.',
    cause,
  );
}

/** Nothing more can be said on stdout. */
const TOLD = { command: 'vivarium', json: false };

// The one file that works when it is loaded: it is what `vivarium` runs.
let lost: Error | undefined;
const console = processConsole((error) => {
  lost = error;
});
let exitCode = await runCli(process.argv.slice(2), console);
await flushed(process.stdout);
// A failed write is told in a later turn.
await setImmediate();
if (lost !== undefined) exitCode = await tellFailure(console, outputLost(lost), TOLD);
await flushed(process.stderr);
// Not left to the event loop: a command that is done must not hang on a forgotten handle.
process.exit(exitCode);
