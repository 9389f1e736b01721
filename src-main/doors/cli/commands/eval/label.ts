import type { Console } from '../../console.ts';
import { required, usageError } from '../../failure.ts';
import { jsonText, oneLine } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

export interface LabelOptions {
  seed?: number;
  entry?: string;
  label?: string;
  note?: string;
  remove?: boolean;
  json?: boolean;
}

/** `vivarium eval label`: what a person says of one cell; it stands in reports from then on. */
export async function labelEval(
  console: Console,
  run: string,
  task: string,
  { seed, entry, label, note, remove, json }: LabelOptions,
): Promise<number> {
  if (remove && (label !== undefined || note !== undefined)) {
    throw usageError('--remove takes a label back', 'Leave --label and --note out with it.');
  }
  const said = remove
    ? null
    : required(label, 'there is no label', 'Give one with --label, or take it back with --remove.');
  const cell = await withCore(console, ({ core }) =>
    core.evaluations.label(run, { task, seed, entry }, { label: said, note: note ?? '' }),
  );
  const shown = cell.label === null ? 'no label' : `label ${cell.label.label}`;
  console.out(json ? jsonText(cell) : oneLine(`${cell.task}, seed ${cell.seed}: ${shown}`) + '\n');
  return 0;
}
