import type { Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

const NOTE = `
The page is served on 127.0.0.1 only. The link is good once; a fresh one is kept in a file that only
you can read. A browser that came with one is known for 7 days from its last visit, also when this is
started again with the same --port. Ctrl-C stops running sessions, records them and ends; a second
one ends at once.`;

/** `vivarium serve`. */
export function addServe(
  program: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  program
    .command('serve')
    .description('show the app in a browser of this machine')
    .option('--port <n>', 'port to listen on (default: any that is free)', parse.port)
    .option('--open', 'open it in the browser')
    .option('--new-link', 'forget browsers that are known from before: each needs a link again')
    .addHelpText('after', NOTE)
    .action((options) =>
      start(async () => (await import('./commands/serve.ts')).serve(console, options)),
    );
}
