import { Option, type Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

const NOTE = `
Forms: sharegpt (LLaMA-Factory, with dataset_info.json), openai (messages with tool_calls),
trl (SFT), preference (TRL: solved against unsolved attempts of the same task and prompt),
harbor (the tasks, what came of each attempt beside them), atif (ATIF-v1.8, a file an attempt).

Left out, and counted on stderr by why: attempts that did not solve their task or look like a
way around it, duplicates, and what the filters say. Whole tasks are held out for validation.

--dry-run reads each row by the rules of LLaMA-Factory (sharegpt, openai) or TRL (trl,
preference). Without --tokenizer, its tokens are a quarter of the characters: an estimate.

--tokenizer writes input_ids with labels (sharegpt, openai) or assistant_masks (trl) into each
row, by the model's own tokenizer and chat template; TRL then learns just these.

Examples:
  vivarium train export 3e1f 9ab0 --format sharegpt --out ./data --validation 0.1
  vivarium train export 3e1f --format openai --out ./data --cap 4 --max-messages 80
  vivarium train export 3e1f --format sharegpt --dry-run --cutoff 32768
  vivarium train export 3e1f --format trl --tokenizer ./frog.gguf --out ./data`;

/** `vivarium train ...`: what trainers need of the record. */
export function addTrain(
  program: Command,
  console: Console,
  start: (action: Action) => void,
): void {
  const train = program.command('train').description('training data from evaluations');
  train
    .command('export')
    .description('write attempts of evaluations as rows for a trainer')
    .argument('<run...>', 'ids of runs or the beginnings of them')
    .addOption(
      new Option('--format <format>', 'what to write; has to be given').choices([
        'sharegpt',
        'openai',
        'trl',
        'preference',
        'harbor',
        'atif',
      ]),
    )
    .option('--out <dir>', 'new or empty folder to write into', parse.nonEmpty)
    .option('--unsolved', 'attempts that did not solve their task, too')
    .option('--suspicious', 'attempts that look like a way around the task, too')
    .option('--max-messages <n>', 'messages of a row at most', parse.wholeNumber(2))
    .option('--cap <n>', 'rows of a task at most', parse.wholeNumber(1))
    .option('--entry <n>', 'only this entry of each run, from 1 on', parse.wholeNumber(1))
    .option('--seeds <n|list>', 'only these: how many from 0 on, or a list like 0,1,2', parse.seeds)
    .option('--validation <share>', 'share of the tasks to hold out, e.g. 0.1', parse.share)
    .option('--split-seed <n>', 'another one holds out other tasks', parse.wholeNumber(0))
    .option('--tools-json', 'not sharegpt: tools as JSON text, for `datasets` before 4.7')
    .option('--unpaired', 'preference: attempts with a label, no pairs')
    .option(
      '--tokenizer <model>',
      'write tokens and what is learned of them, too; a GGUF file or a model of the library',
      parse.nonEmpty,
    )
    .option('--dry-run', 'write nothing; show what the importer would make of each row')
    .option('--cutoff <n>', '--dry-run: tokens of a row at most', parse.wholeNumber(1))
    .option('--json', 'print one JSON object')
    .addHelpText('after', NOTE)
    .action((runs: string[], options) =>
      start(async () =>
        (await import('./commands/train/export.ts')).exportTrain(console, runs, options),
      ),
    );
}
