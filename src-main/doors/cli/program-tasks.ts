import { type Command, Option } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';
import { addCalibrate } from './program-calibrate.ts';
import { addSynth } from './program-synth.ts';

type Start = (action: Action) => void;

const SET = 'folder of Harbor task directories, or one of them';

const IMPORT_NOTE = `
SOURCE is a file (.json, .jsonl, .parquet), a folder with files of splits, or a
task repository (sweb.yaml); for terminal-bench, a folder of Harbor tasks.
Nothing is fetched: images are named as the data set has them, and
\`vivarium tasks preflight\` says which are not on this machine.

Examples:
  vivarium tasks import verified.parquet --format swe-bench --out tasks/verified
  vivarium tasks import pro.jsonl --format swe-bench-pro --run-scripts run_scripts --out tasks/pro
  vivarium tasks import tb2 --format terminal-bench --offline-verifier --out tasks/tb2`;

const ADD_NOTE = `
The tree before the commit becomes the task, the commit's test files are added
only at grading, and the rest of the commit is the known fix. With pytest, which
tests tell is found by running them before and after the fix; with any other
command its exit code judges. The repository is only read.

Example:
  vivarium tasks add --repo ~/shop --commit 3f2a91c --issue-file bug.md \\
    --verify 'python3 -m pytest -q' --out tasks/shop`;

const CHECK_NOTE = `
Of each task: the tree fails, the known fix passes, every time, in random orders
of tests where the verifier can; flaky tests are named and taken off its lists;
nothing of the answer lies in the tree. What was found is kept in check.json
beside the tasks, and counts for this very content only.
Exit codes: 0 all are fit; 1 some are not; 2 usage; 3 environment.`;

const PREFLIGHT_NOTE = `
Nothing is run. Exit codes: 0 all can be run; 1 some cannot; 2 usage; 3 environment.`;

function addImport(tasks: Command, console: Console, start: Start): void {
  const load = () => import('./commands/tasks/make.ts');
  tasks
    .command('import')
    .description('make tasks of a data set')
    .argument('<source>', 'file or folder of the data set')
    .addOption(
      new Option('--format <format>', 'what the data set is; has to be given').choices([
        'swe-bench',
        'swe-bench-pro',
        'terminal-bench',
        'patcheval',
      ]),
    )
    .option('--out <dir>', 'folder for the tasks; has to be given', parse.nonEmpty)
    .option('--limit <n>', 'rows at most', parse.wholeNumber(1))
    .option('--only <id...>', 'these rows only', parse.collect)
    .option('--split <name>', 'part of a folder of splits (default: test)', parse.nonEmpty)
    .option('--namespace <name>', 'registry namespace of images, e.g. swebench', parse.nonEmpty)
    .option('--run-scripts <dir>', "SWE-bench Pro's folder run_scripts", parse.nonEmpty)
    .addOption(
      new Option('--variant <name>', 'PatchEval: how much the prompt gives away').choices([
        'default',
        'noknowledge',
        'nolocation',
      ]),
    )
    .option('--offline-verifier', 'replace a test.sh that installs things, and label the task so')
    .option('--json', 'print one JSON object')
    .addHelpText('after', IMPORT_NOTE)
    .action((source: string, options) =>
      start(async () => (await load()).importTasks(console, source, options)),
    );
}

function addFromFixes(tasks: Command, console: Console, start: Start): void {
  const load = () => import('./commands/tasks/make.ts');
  tasks
    .command('from-releases')
    .description('make tasks of pairs of releases: one with a mistake, one with its fix')
    .argument('<list>', 'JSON list of the pairs')
    .option(
      '--sdists <dir>',
      'folder of their source distributions; has to be given',
      parse.nonEmpty,
    )
    .option('--out <dir>', 'folder for the tasks; has to be given', parse.nonEmpty)
    .option('--image <image>', 'local image with all that the tests import', parse.nonEmpty)
    .option('--only <id...>', 'these pairs only', parse.collect)
    .option('--json', 'print one JSON object')
    .action((list: string, options) =>
      start(async () => (await load()).fromReleases(console, list, options)),
    );
  tasks
    .command('add')
    .description("make a task of a fixed bug in a repository's history")
    .option('--repo <dir>', 'the git repository', parse.nonEmpty, '.')
    .option('--commit <commit>', 'the commit that fixed it; has to be given', parse.nonEmpty)
    .addOption(
      new Option('--issue <text>', 'what was wrong, in words')
        .argParser(parse.nonEmpty)
        .conflicts('issueFile'),
    )
    .option(
      '--issue-file <file>',
      'a file that says what was wrong; - for standard input',
      parse.nonEmpty,
    )
    .option('--verify <cmd>', 'command that runs the tests; has to be given', parse.nonEmpty)
    .option('--out <dir>', 'folder for the task; has to be given', parse.nonEmpty)
    .option('--name <name>', 'name of the task', parse.nonEmpty)
    .option('--image <image>', 'local image of the workspace', parse.nonEmpty)
    .option('--json', 'print one JSON object')
    .addHelpText('after', ADD_NOTE)
    .action((options) => start(async () => (await load()).addTask(console, options)));
}

function addReaders(tasks: Command, console: Console, start: Start): void {
  const load = () => import('./commands/tasks/look.ts');
  tasks
    .command('list')
    .description('list the tasks of a set')
    .argument('<tasks>', SET)
    .option('--json', 'print one JSON object')
    .action((folder: string, options) =>
      start(async () => (await load()).listTasks(console, folder, options)),
    );
  tasks
    .command('check')
    .description('check that each task tells a fix from none, the same every time')
    .argument('<tasks>', SET)
    .option('--only <name...>', 'these tasks only', parse.collect)
    .option('--reruns <n>', 'runs of each state (default: 3)', parse.wholeNumber(1))
    .option('--seed <n>', 'of the orders of tests (default: 1)', parse.wholeNumber(0))
    .option('--keep-flaky', 'leave flaky tests on the lists')
    .option('--json', 'print one JSON object')
    .addHelpText('after', CHECK_NOTE)
    .action((folder: string, options) =>
      start(async () => (await load()).checkTasks(console, folder, options)),
    );
  tasks
    .command('preflight')
    .description('what each task lacks on this machine: images, tools, limits, a network')
    .argument('<tasks>', SET)
    .option('--json', 'print one JSON object')
    .addHelpText('after', PREFLIGHT_NOTE)
    .action((folder: string, options) =>
      start(async () => (await load()).preflight(console, folder, options)),
    );
}

/** `vivarium tasks ...`. */
export function addTasks(program: Command, console: Console, start: Start): void {
  const tasks = program
    .command('tasks')
    .description('tasks for evaluations, as Harbor directories');
  addImport(tasks, console, start);
  addFromFixes(tasks, console, start);
  addReaders(tasks, console, start);
  addSynth(tasks, console, start);
  addCalibrate(tasks, console, start);
}
