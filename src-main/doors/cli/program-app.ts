import type { Command } from 'commander';
import type { Action } from './action.ts';

const NOTE = `
Without an Electron binary, or without a screen, it is shown in a browser instead; words after it are
those of \`vivarium serve\`, and ask for the browser, too.`;

/** `vivarium app`. In a checkout scripts/app.mjs does it, and only the help is asked for here. */
export function addApp(program: Command, start: (action: Action) => void): void {
  program
    .command('app')
    .description('open the app in a window of its own')
    .addHelpText('after', NOTE)
    .action(() => start(async () => (await import('./commands/app.ts')).app()));
}
