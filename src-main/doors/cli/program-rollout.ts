import type { Command } from 'commander';
import type { Action } from './action.ts';
import type { Console } from './console.ts';

const NOTE = `
Everything comes by environment: AGL_OPENAI_BASE_URL, AGL_EVENT_URL and AGL_KEY, which the
trainer sets, and VIVARIUM_TASK, a task directory. May be given: VIVARIUM_SCAFFOLD,
VIVARIUM_MODEL, VIVARIUM_SEED, VIVARIUM_MAX_STEPS, VIVARIUM_MAX_CONTEXT,
VIVARIUM_MAX_TOKENS, VIVARIUM_TIME_LIMIT, VIVARIUM_MAX_WAIT, VIVARIUM_HOME.

Exit codes: 0 the reward was posted, whatever it is; 1 stopped; 2 wrong usage; 3 no verdict, or
the trainer could not be reached: no reward was posted.`;

/** `vivarium rollout`: one task for an external trainer. */
export function addRollout(
  program: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  program
    .command('rollout')
    .description('run one task for an external trainer and post its reward')
    .addHelpText('after', NOTE)
    .action(() => start(async () => (await import('./commands/rollout.ts')).rollout(console)));
}
