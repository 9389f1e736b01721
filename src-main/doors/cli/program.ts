import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Action } from './action.ts';
import { appFolder } from '../../lib/index.ts';
import * as parse from './arguments.ts';
import { LEAST_LIMITS } from '../../contract/least-limits.ts';
import type { Console } from './console.ts';
import { addEval } from './program-eval.ts';
import { addApp } from './program-app.ts';
import { addModels } from './program-models.ts';
import { addRollout } from './program-rollout.ts';
import { addServe } from './program-serve.ts';
import { addTasks } from './program-tasks.ts';
import { addTrain } from './program-train.ts';

/** The words up to a command: `vivarium images import`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function version(): string {
  const file = path.join(appFolder(), 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}

const REVIEW_NOTE = `
The repository is only read; the patch is a proposal to review, written to --out.
Ctrl-C stops the attempt and still exports what there is; a second one ends at once.

Exit codes: 0 patch exported and, if asked, verified; 1 no patch, not verified or stopped;
2 wrong usage; 3 something on this machine is missing or failed; 130 ended at once.

Examples:
  vivarium fix --repo ~/shop --issue-file bug.md --model gguf:FrogNano-4B.gguf --verify 'pytest -q'
  vivarium fix --issue 'total() ignores tax' --model http://127.0.0.1:8000/v1#frog --attempts 4`;

function addTaskOptions(command: Command): Command {
  return command
    .option('--repo <dir>', 'the git repository to fix', parse.nonEmpty, '.')
    .addOption(
      new Option('--issue <text>', 'what is wrong, in words')
        .argParser(parse.nonEmpty)
        .conflicts('issueFile'),
    )
    .option(
      '--issue-file <file>',
      'a file that says what is wrong; - for standard input',
      parse.nonEmpty,
    )
    .option(
      '--model <model>',
      'name of a model (`vivarium models list`), gguf:FILE, script:FILE or http://HOST:PORT/v1#NAME',
      parse.nonEmpty,
    )
    .option(
      '--scaffold <name>',
      'leaf, tadpole, or a scaffold file (YAML); default: the one the model was trained with',
      parse.nonEmpty,
    )
    .option(
      '--verify <cmd>',
      'command that fails now and has to pass with the patch',
      parse.nonEmpty,
    )
    .option('--protect <glob...>', 'files put back before verifying, besides tests', parse.collect)
    .option('--include <glob...>', 'git-ignored new files to take into the patch', parse.collect)
    .option('--history', 'show the model the history that HEAD reaches, not one start commit');
}

function addLimitOptions(command: Command): Command {
  const least = (value: number) => parse.wholeNumber(value);
  return command
    .option('--attempts <n>', 'attempts at most; the first verified patch ends them', least(1))
    .option('--parallel <k>', 'attempts at the same time', least(1))
    .option('--seed <n>', 'seed of the first attempt', least(0))
    .option('--max-steps <n>', 'steps of an attempt at most', least(1))
    .option('--max-context <n>', 'tokens of context at most', least(1))
    .option('--time-limit <s>', 'seconds of an attempt at most', parse.decimal(1))
    .option('--image <image>', 'local image of the workspace', parse.nonEmpty)
    .option('--runtime <name>', 'container runtime, e.g. runsc', parse.nonEmpty)
    .option(
      '--memory <size>',
      'memory of the workspace, e.g. 4GiB',
      parse.size(LEAST_LIMITS.memoryBytes),
    )
    .option('--cpus <n>', 'processors of the workspace, e.g. 1.5', parse.decimal(LEAST_LIMITS.cpus))
    .option('--pids <n>', 'processes of the workspace', least(LEAST_LIMITS.pids))
    .option('--disk <size>', 'disk of the workspace, e.g. 2GiB', parse.size(LEAST_LIMITS.diskBytes))
    .option('--inodes <n>', 'files and folders of the workspace', least(LEAST_LIMITS.inodes));
}

/** Commands that work on the record. */
function addSessionCommands(
  program: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  program
    .command('sessions')
    .description('list the sessions, newest first')
    .option('--limit <n>', 'sessions at most', parse.wholeNumber(1))
    .option('--run <run>', 'the cells of an evaluation, instead of those of none', parse.nonEmpty)
    .option('--json', 'print one JSON value')
    .action((options) =>
      start(async () => (await import('./commands/sessions.ts')).sessions(console, options)),
    );
  program
    .command('show')
    .description('show one session: its result, its steps or its patch')
    .argument('<id>', 'id of the session or the beginning of it')
    .addOption(
      new Option('--steps', 'what the model did, step by step').conflicts(['patch', 'json']),
    )
    .addOption(new Option('--patch', 'the patch itself').conflicts(['json']))
    .option('--json', 'print one JSON object')
    .action((id: string, options) =>
      start(async () => (await import('./commands/show.ts')).show(console, id, options)),
    );
  program
    .command('export')
    .description('write the patch of a session to files')
    .argument('<id>', 'id of the session or the beginning of it')
    .option('--out <dir>', 'folder to write to; has to be given', parse.nonEmpty)
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['patch', 'mbox', 'leaf'])
        .default('patch'),
    )
    .option('--json', 'print one JSON object')
    .action((id: string, options) =>
      start(async () => (await import('./commands/export.ts')).exportFiles(console, id, options)),
    );
  program
    .command('resume')
    .description('go on with an interrupted session from its last checkpoint')
    .argument('<id>', 'id of the session or the beginning of it')
    .option('--out <dir>', 'folder for the patch', parse.nonEmpty)
    .option('--json', 'print one JSON object')
    .action((id: string, options) =>
      start(async () => (await import('./commands/resume.ts')).resume(console, id, options)),
    );
}

/** Commands that work on this machine. */
function addMachineCommands(
  program: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  program
    .command('doctor')
    .description('check what Vivarium needs on this machine')
    .option('--json', 'print one JSON value')
    .action((options) =>
      start(async () => (await import('./commands/doctor.ts')).doctor(console, options)),
    );
  program
    .command('clean')
    .description('remove what dead runs left: containers, servers, snapshots')
    .option('--json', 'print one JSON object')
    .action((options) =>
      start(async () => (await import('./commands/clean.ts')).clean(console, options)),
    );
}

function addImages(program: Command, console: Console, start: (action: Action) => void): void {
  const images = program.command('images').description('images that workspaces are made from');
  images
    .command('list')
    .description('list the local images')
    .option('--json', 'print one JSON value')
    .action((options) =>
      start(async () => (await import('./commands/images.ts')).listImages(console, options)),
    );
  images
    .command('import')
    .description('load an archive made by `docker save`')
    .argument('<file>', 'the archive')
    .option('--json', 'print one JSON value')
    .action((file: string, options) =>
      start(async () => (await import('./commands/images.ts')).importImage(console, file, options)),
    );
  images
    .command('build')
    .description('make the base image from Debian packages')
    .option('--tag <tag>', 'name of the image', parse.imageName)
    .option('--package <name...>', 'more Debian packages', parse.packageNames)
    .option('--json', 'print one JSON object')
    .action((options) =>
      start(async () => (await import('./commands/images.ts')).buildImage(console, options)),
    );
}

/**
 * All commands and their options. Nothing of the app is loaded before a command runs, so that
 * `--help` is quick. `start` is given what the chosen command does.
 */
export function createProgram(console: Console, start: (action: Action) => void): Command {
  const program = new Command('vivarium')
    .description('Fixes bugs in a local git repository with a small coding model, without network.')
    .version(version())
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => console.out(text),
      // Errors are told once, by `tellFailure`.
      writeErr: () => undefined,
    });
  const fix = program.command('fix').description('fix a bug and leave a patch to review');
  addLimitOptions(addTaskOptions(fix))
    .option(
      '--out <dir>',
      'folder for the patch (default: patches/ in VIVARIUM_HOME)',
      parse.nonEmpty,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', REVIEW_NOTE)
    .action((options) =>
      start(async () => (await import('./commands/fix.ts')).fix(console, options)),
    );
  addSessionCommands(program, console, start);
  addMachineCommands(program, console, start);
  addImages(program, console, start);
  addModels(program, console, start);
  addEval(program, console, start);
  addApp(program, start);
  addServe(program, console, start);
  addTasks(program, console, start);
  addRollout(program, console, start);
  addTrain(program, console, start);
  return program;
}
