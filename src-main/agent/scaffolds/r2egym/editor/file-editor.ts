import {
  done,
  EditorFault,
  plainArgument,
  rawArgument,
  type Arguments,
  type FunctionContext,
  type Outcome,
} from '../outcome.ts';
import { create, insert, replace, undo } from './change.ts';
import { historyOf } from './history.ts';
import { placeOf, type Place } from './place.ts';
import { view } from './view.ts';

/** `file_editor`: view, create, str_replace, insert, undo_edit. */
export async function fileEditor(args: Arguments, context: FunctionContext): Promise<Outcome> {
  try {
    return await edit(args, context);
  } catch (error) {
    if (!(error instanceof EditorFault)) throw error;
    const text = `${error.blankLine ? '\n' : ''}ERROR: ${error.message}\n`;
    return done(text, { isError: true, help: context.help ? error.help : [] });
  }
}

async function edit(args: Arguments, context: FunctionContext): Promise<Outcome> {
  const command = plainArgument(args, 'command');
  const given = plainArgument(args, 'path');
  if (command === undefined) throw new EditorFault('command is required.');
  if (given === undefined) throw new EditorFault('path is required.');
  const place = await placeOf(context.workspace, given);
  checkPlace(command, place);
  const { shown } = place;
  const editing = { ...context, history: historyOf(context.workspace) };
  switch (command) {
    case 'view':
      return view(place, { range: rangeOf(args), concise: isConcise(args) }, context);
    case 'create':
      return create(shown, rawArgument(args, 'file_text'), editing);
    case 'str_replace': {
      const texts = { old: rawArgument(args, 'old_str'), new: rawArgument(args, 'new_str') };
      return replace(shown, texts, editing);
    }
    case 'insert':
      return insert(shown, lineOf(args), rawArgument(args, 'new_str'), editing);
    case 'undo_edit':
      return undo(shown, editing);
    default:
      throw new EditorFault(
        `Unrecognized command '${command}'. Allowed commands: view, create, str_replace, insert, undo_edit.`,
      );
  }
}

function checkPlace(command: string, { shown, kind }: Place): void {
  if (command === 'create' && kind !== null) {
    throw new EditorFault(`File already exists at: ${shown}. Cannot overwrite with 'create'.`);
  }
  if (command !== 'create' && kind === null) {
    throw new EditorFault(`The path '${shown}' does not exist.`);
  }
  if (command !== 'view' && kind === 'folder') {
    throw new EditorFault(
      `The path '${shown}' is a directory. Only 'view' can be used on directories.`,
    );
  }
  if (kind === 'other')
    throw new EditorFault(`Failed to read file ${shown}: it is no regular file`);
}

/** `[a, b]`, `a, b`, `(a b)`. */
function rangeOf(args: Arguments): [number, number] | null {
  const text = plainArgument(args, 'view_range');
  if (text === undefined || text === 'None') return null;
  const match = /^[[(]*\s*(-?\d+)\s*[,\s]\s*(-?\d+)\s*[\])]*$/.exec(text);
  if (match) return [Number(match[1]), Number(match[2])];
  throw new EditorFault(`Invalid view_range ${text}: expected two numbers such as [11, 20].`);
}

function isConcise(args: Arguments): boolean {
  return plainArgument(args, 'concise')?.toLowerCase() === 'true';
}

function lineOf(args: Arguments): number | null {
  const text = plainArgument(args, 'insert_line');
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}
