import { InvalidArgumentError, type Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

const NOTE = `
Of the files of HEAD; the repository is only read. Each bug is judged by the
repository's own tests (pytest, go test, node --test, mocha, vitest, jest,
tape): it counts when a test fails that passes every time without it. Each task is checked as by \`tasks check\`.
mutate: changes of the syntax tree. history: commits that changed code and
tests, with the code undone. rewrite: the model writes a function again from
its signature and docs. featadd: it adds a feature that it proposes. Each such
attempt is a session on record. With a model the statements are its own, too,
unless they give the fix away. What was tried is kept in synth.json; the same
command goes on from there.
--quota limits the share of a class of bugs (class), of bugs in as many files
(files: one, two or three, more), of an area of the repository (area): what is
above comes last. Bugs at one place that fail the same tests are made once.
Exit codes: 0 the target is reached; 1 no more candidates; 2 usage; 3 environment.

Example:
  vivarium tasks synth --repo ~/shop --out tasks/shop --target 30`;

const KINDS = new Map([
  ['class', 'bugClass'],
  ['files', 'files'],
  ['area', 'area'],
]);

/** `class=0.5,area=0.2` as shares by kind. */
function quota(text: string): Record<string, number> {
  const shares = text.split(',').map((part) => {
    const [word = '', value = '', ...more] = part.split('=').map((one) => one.trim());
    const kind = KINDS.get(word);
    const isShare = /^\d*\.?\d+$/.test(value) && Number(value) > 0 && Number(value) <= 1;
    if (kind !== undefined && isShare && more.length === 0) return [kind, Number(value)] as const;
    throw new InvalidArgumentError(
      'It must be shares above 0, to 1, like class=0.5,files=0.8,area=0.2.',
    );
  });
  return Object.fromEntries(shares);
}

/** `vivarium tasks synth`. */
export function addSynth(tasks: Command, console: Console, start: (action: Action) => void): void {
  const load = () => import('./commands/tasks/synth.ts');
  tasks
    .command('synth')
    .description('make tasks of a repository: bugs that its own tests tell')
    .option('--repo <dir>', 'the git repository', parse.nonEmpty, '.')
    .option('--out <dir>', 'folder for the tasks; has to be given', parse.nonEmpty)
    .option(
      '--generators <names>',
      'mutate, rewrite, featadd, history (default: mutate)',
      parse.nonEmpty,
      'mutate',
    )
    .option('--model <model>', 'as for `vivarium fix`; rewrite and featadd need it', parse.nonEmpty)
    .option('--scaffold <name>', "as for `vivarium fix` (default: the model's)", parse.nonEmpty)
    .option('--target <n>', 'valid tasks that are wanted', parse.wholeNumber(1), 30)
    .option(
      '--verify <cmd>',
      'command that runs the tests (default: by go.mod, package.json, or pytest)',
      parse.nonEmpty,
    )
    .option('--image <image>', 'local image with all that the tests need', parse.nonEmpty)
    .option('--seed <n>', 'of candidates and orders of tests (default: 1)', parse.wholeNumber(0))
    .option('--workers <n>', 'candidates at a time (default: 2)', parse.wholeNumber(1))
    .option('--reruns <n>', 'runs of each state (default: 3)', parse.wholeNumber(1))
    .option('--quota <shares>', 'of one kind at most (default: class=0.6,area=0.4)', quota)
    .option(
      '--least-complexity <n>',
      'paths through a function that mutate changes (default: 1)',
      parse.wholeNumber(1),
    )
    .option('--hide-tests', 'lay test files with failing tests at grading only')
    .option('--json', 'print one JSON object')
    .addHelpText('after', NOTE)
    .action((options) => start(async () => (await load()).synthTasks(console, options)));
}
