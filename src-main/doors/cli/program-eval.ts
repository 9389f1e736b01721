import { Option, type Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';
import { addReport } from './program-eval-report.ts';

type Start = (action: Action) => void;

const RUN = 'id of the run or the beginning of it';

const RUN_NOTE = `
Presets: swe-bench-verified, swe-bench-pro, terminal-bench-2, patcheval: the published
settings against a copy of the data set on this machine (\`vivarium tasks import\`).

Everything is on record as it happens. Ctrl-C stops the running attempts; --resume does
what is left, also after a crash. What fails for reasons of this machine is tried again,
and then counted apart, never as unsolved.

Exit codes: 0 all cells have their verdict; 1 stopped; 2 wrong usage; 3 something on this
machine is missing or failed.

Examples:
  vivarium eval run --tasks resources/tasks/demo --model frog --seeds 3
  vivarium eval run --tasks swe-bench-verified --model frog,other --scaffold leaf,r2egym --limit 50
  vivarium eval run --resume 3e1f`;

function addRun(evaluation: Command, console: Console, start: Start): void {
  const least = (value: number) => parse.wholeNumber(value);
  evaluation
    .command('run')
    .description('run tasks x seeds x models, with a verdict for each')
    .option('--tasks <dir|preset>', 'folder of task directories, or a preset', parse.nonEmpty)
    .option('--data <dir>', 'folder of the tasks of a preset', parse.nonEmpty)
    .option('--model <model>', 'models, as for `vivarium fix`, with commas between', parse.names)
    .option('--scaffold <name>', 'scaffolds, with commas between', parse.names)
    .option('--seeds <n|list>', 'how many from 0 on, or a list like 0,1,2', parse.seeds)
    .option('--workers <n>', 'cells at a time at most', least(1))
    .option('--only <task>', 'tasks by name, with commas between', parse.names)
    .option('--limit <n>', 'the first so many tasks', least(1))
    .option('--name <name>', 'name of the run', parse.nonEmpty)
    .option('--max-steps <n>', 'steps of an attempt at most', least(1))
    .option('--max-context <n>', 'tokens of context at most', least(1))
    .option('--max-tokens <n>', 'tokens of a turn at most', least(1))
    .option('--time-limit <s>', 'seconds of an attempt at most', parse.decimal(1))
    .option('--temperature <t>', 'in place of that of profile or scaffold', parse.decimal(0))
    .option('--infra-retries <n>', 'further tries where nothing is known of the model', least(0))
    .option('--record-tokens', 'keep token ids and log-probabilities, where the server gives them')
    .addOption(
      new Option('--resume <run>', 'do what is left of a run')
        .argParser(parse.nonEmpty)
        .conflicts(['tasks', 'model', 'scaffold', 'seeds', 'only', 'limit', 'name']),
    )
    .option(
      '--retry-infra',
      'with --resume: also what came to no verdict for reasons of the machine',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', RUN_NOTE)
    .action((options) =>
      start(async () => (await import('./commands/eval/run.ts')).runEval(console, options)),
    );
}

const EXPORT_NOTE = `
Forms: results (Leaf's folder: config.json, results.jsonl, summary.json, trajectories,
patches), mini-swe-agent, swe-bench (predictions), atif, otlp (traces; no text of the task
or the model without --content), mlflow, wandb (an offline folder, by your own Python).

Nothing is sent but by otlp and mlflow to the address of --to. The folder of --out must be
new or empty.

Examples:
  vivarium eval export 3e1f --format results --out ./frog
  vivarium eval export 3e1f --format otlp --to http://10.0.0.7:4318
  vivarium eval export 3e1f --format mlflow --to http://10.0.0.7:5000 --experiment frogs
  vivarium eval export 3e1f --format wandb --python ./env/bin/python --out ./offline`;

function addExport(evaluation: Command, console: Console, start: Start): void {
  evaluation
    .command('export')
    .description('write a run for other tools, or send it where you say')
    .argument('<run>', RUN)
    .addOption(
      new Option('--format <format>', 'what to write; has to be given').choices([
        'results',
        'mini-swe-agent',
        'swe-bench',
        'atif',
        'otlp',
        'mlflow',
        'wandb',
      ]),
    )
    .option('--out <dir>', 'new or empty folder to write into', parse.nonEmpty)
    .option('--to <url>', 'otlp, mlflow: server to send to, as http://HOST:PORT', parse.nonEmpty)
    .option('--header <name:value>', 'goes with --to; may be given several times', parse.collect)
    .option('--content', 'otlp: prompts, replies and outputs too')
    .option('--experiment <name>', "MLflow's experiment, W&B's project", parse.nonEmpty)
    .option('--python <file>', 'wandb: the Python that has it', parse.nonEmpty)
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXPORT_NOTE)
    .action((run: string, options) =>
      start(async () =>
        (await import('./commands/eval/export.ts')).exportEval(console, run, options),
      ),
    );
}

/** `vivarium eval ...`: tasks with verdicts, many at a time. */
export function addEval(program: Command, console: Console, start: Start): Command {
  const evaluation = program
    .command('eval')
    .description('evaluate models and scaffolds on tasks with known verdicts');
  addRun(evaluation, console, start);
  evaluation
    .command('list')
    .description('list the runs, newest first')
    .option('--json', 'print one JSON value')
    .action((options) =>
      start(async () => (await import('./commands/eval/list.ts')).listEvals(console, options)),
    );
  evaluation
    .command('show')
    .description('show one run: what was resolved, and each cell')
    .argument('<run>', RUN)
    .option('--json', 'print one JSON object')
    .action((run: string, options) =>
      start(async () => (await import('./commands/eval/show.ts')).showEval(console, run, options)),
    );
  evaluation
    .command('regrade')
    .description('make the verdicts of a run again, without a model')
    .argument('<run>', RUN)
    .option('--tests', 'run the tests anew, instead of reading the logs on record')
    .option('--json', 'print one JSON object')
    .action((run: string, options) =>
      start(async () =>
        (await import('./commands/eval/regrade.ts')).regrade(console, run, options),
      ),
    );
  addExport(evaluation, console, start);
  addReport(evaluation, console, { start, run: RUN });
  return evaluation;
}
