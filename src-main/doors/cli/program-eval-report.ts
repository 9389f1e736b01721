import { Option, type Command } from 'commander';
import type { Action } from './action.ts';
import * as parse from './arguments.ts';
import type { Console } from './console.ts';

const REPORT_NOTE = `
html is one file that loads nothing and needs no script: it can be mailed. It is written to
--out, or beside you under a name of its own, and its path is printed. md, json and csv (one
line a cell) go to stdout unless --out is given.

Examples:
  vivarium eval report 3e1f
  vivarium eval report 3e1f --compare 9ab2 --out compared.html
  vivarium eval report 3e1f --format csv > cells.csv
  vivarium eval label 3e1f slug-words --seed 1 --label 'test too strict' --note 'see issue 12'`;

/** `vivarium eval report` and `label`: what people read of a run, and what they say of it. */
export function addReport(
  evaluation: Command,
  console: Console,
  { start, run: RUN }: { start: (action: Action) => void; run: string },
): void {
  evaluation
    .command('report')
    .description('write what came of a run: score, comparison, cost, failures, each task')
    .argument('<run>', RUN)
    .option('--compare <run>', 'another run to compare it with', parse.nonEmpty)
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['html', 'md', 'json', 'csv'])
        .default('html'),
    )
    .option('--out <file>', 'file to write to', parse.nonEmpty)
    .addHelpText('after', REPORT_NOTE)
    .action((run: string, options) =>
      start(async () =>
        (await import('./commands/eval/report.ts')).reportEval(console, run, options),
      ),
    );
  evaluation
    .command('label')
    .description('say something of one cell of a run, for its reports')
    .argument('<run>', RUN)
    .argument('<task>', 'name of the task')
    .option('--seed <n>', 'which of its seeds', parse.wholeNumber(0))
    .option('--entry <label>', 'which of its entries, as `eval show` names it', parse.nonEmpty)
    .option('--label <text>', 'a few words; the same ones are counted together', parse.nonEmpty)
    .option('--note <text>', 'more of it')
    .option('--remove', 'take the label back')
    .option('--json', 'print one JSON object')
    .action((run: string, task: string, options) =>
      start(async () =>
        (await import('./commands/eval/label.ts')).labelEval(console, run, task, options),
      ),
    );
}
