import { flagArgument, pathArgument, textArgument } from '../arguments.ts';
import { editText } from '../../edit/edit-text.ts';
import type { ToolContext, ToolOutcome } from '../outcome.ts';
import { success, valueError } from '../outcome.ts';
import { displayPath, linkNote, readFile, writeFile } from '../places.ts';
import { readText } from '../../text/detect.ts';

/** Replaces an exact string. */
export async function edit(
  args: Readonly<Record<string, unknown>>,
  { workspace, help }: ToolContext,
): Promise<ToolOutcome> {
  const given = pathArgument(args);
  const old = textArgument({ old_string: '', ...withoutNulls(args) }, 'old_string');
  if (old === '') throw valueError('old_string must be non-empty');
  const wanted = textArgument(args, 'new_string');
  const file = await readFile(workspace, given);
  const shown = displayPath(workspace, given, file.realPath);
  if (file.totalBytes > file.bytes.length) {
    throw valueError(`${shown} is too large to edit (${file.totalBytes} bytes)`, [
      'Change it with Bash, e.g. sed -i or python3.',
    ]);
  }
  const text = readText(file.bytes);
  if (!text) {
    throw valueError(`${shown} is a binary file, not text; it was not changed`, [
      'Change it with Bash, e.g. python3, if it must be changed.',
    ]);
  }
  const request = { old, new: wanted, replaceAll: flagArgument(args, 'replace_all'), help };
  const outcome = editText(file.bytes, text, request);
  if (outcome.kind === 'refused') throw valueError(outcome.message, outcome.help);
  if (outcome.kind === 'unchanged') return unchanged(shown, outcome.count, help);
  await writeFile(workspace, given, outcome.bytes);
  return success(edited(shown, outcome.count), {
    help: [...outcome.help, ...linkNote(workspace, given, file.realPath)],
    mutated: true,
  });
}

function edited(path: string, count: number): string {
  return `Edited ${path} (${count} replacement${count === 1 ? '' : 's'}).`;
}

/** Leaf reports success here (T05); without help that stays so, and only the record knows better. */
function unchanged(path: string, count: number, help: boolean): ToolOutcome {
  if (!help) return success(edited(path, count), { notes: ['the edit changed nothing'] });
  throw valueError(
    `nothing changed in ${path}: old_string and new_string are the same, line ends aside`,
  );
}

function withoutNulls(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
