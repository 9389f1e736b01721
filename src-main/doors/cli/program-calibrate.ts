import { InvalidArgumentError, type Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

const NOTE = `
Each probe is an attempt of an ordinary evaluation, with a seed of its own. A task
gets the first probes, then one more at a time while that is likely to change what
is decided. Verdicts on record of the same content, model and scaffold count, so
that the same command goes on where an earlier one stopped. What is found is kept
in calibration.json beside the tasks, for this very content only, and which kinds
of bugs lie at the frontier in frontier.json.
--iterate makes more tasks of what lies there, as \`tasks synth\` made the first
ones, and probes these too. Rounds of earlier calls count: the same command goes
on with what was stopped, and a larger number makes more.
Exit codes: 0 all tasks have their probes; 1 some have not, or it was stopped;
2 usage; 3 environment.

Example:
  vivarium tasks calibrate tasks/shop --model frog --scaffold leaf --out tasks/frontier
  vivarium tasks calibrate tasks/shop --model frog --iterate 3 --repo ~/shop`;

function share(text: string): number {
  const value = parse.decimal(0)(text);
  if (value <= 1) return value;
  throw new InvalidArgumentError('It must be a share, 0 to 1.');
}

function partOfSet(text: string): number {
  const value = share(text);
  if (value < 1) return value;
  throw new InvalidArgumentError('It must be a share below 1.');
}

function band(text: string): { low: number; high: number } {
  const [low, high, ...more] = text.split(',').map((part) => share(part.trim()));
  if (low !== undefined && high !== undefined && more.length === 0 && low < high) {
    return { low, high };
  }
  throw new InvalidArgumentError('It must be two shares, the lower one first, like 0.1,0.9.');
}

/** `vivarium tasks calibrate`. */
export function addCalibrate(
  tasks: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  const load = () => import('./commands/tasks/calibrate.ts');
  tasks
    .command('calibrate')
    .description('keep the tasks that a model solves sometimes but not always')
    .argument('<tasks>', 'folder of Harbor task directories, or one of them')
    .option('--model <model>', 'as for `vivarium fix`; has to be given', parse.nonEmpty)
    .option('--scaffold <name>', "as for `vivarium fix` (default: the model's)", parse.nonEmpty)
    .option('--probes <n>', 'probes of each task first (default: 4)', parse.wholeNumber(1))
    .option('--max-probes <n>', 'probes of a task at most (default: 8)', parse.wholeNumber(1))
    .option('--band <low,high>', 'pass rates that are kept (default: 0.1,0.9)', band)
    .option('--keep-unsolved <share>', 'of never-solved ones (default: 0.1)', partOfSet)
    .option('--class-share <share>', 'of one class of bugs at most (default: 0.6)', share)
    .option('--iterate <n>', 'rounds of synthesis in all; needs --repo', parse.wholeNumber(1))
    .option('--repo <dir>', 'the git repository that the tasks were made of', parse.nonEmpty)
    .option('--more <n>', 'tasks a round (default: 10)', parse.wholeNumber(1))
    .option('--out <dir>', 'new or empty folder for copies of the kept tasks', parse.nonEmpty)
    .option('--page <file>', 'write the frontier as one HTML file', parse.nonEmpty)
    .option('--workers <n>', 'attempts at a time at most', parse.wholeNumber(1))
    .option('--json', 'print one JSON object')
    .addHelpText('after', NOTE)
    .action((folder: string, options) =>
      start(async () => (await load()).calibrateTasks(console, folder, options)),
    );
}
