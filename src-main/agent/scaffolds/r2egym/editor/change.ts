import { editText } from '../../edit/edit-text.ts';
import { readText } from '../../text/detect.ts';
import { lineNumberAt, mainLineEnd } from '../../text/lines.ts';
import { spliceBytes } from '../../text/splice.ts';
import { done, EditorFault, type FunctionContext, type Outcome } from '../outcome.ts';
import { replacementOf, unwrapped, wholeFile } from '../values.ts';
import type { History } from './history.ts';
import { clipped, numbered } from './numbered.ts';
import { openFile, plainText, saveFile, type OpenFile } from './place.ts';

/** Lines shown on either side of a change. */
const AROUND = 4;

const REVIEW =
  'Review the changes and make sure they are as expected. Edit the file again if necessary.';
const REVIEW_INSERT =
  'Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.';
const REVIEW_FILE =
  'Review the file and make sure that it is as expected. Edit the file if necessary.';

export type Editing = FunctionContext & { history: History };

/** A new file; an existing one is never replaced. The last line keeps its line break. */
export async function create(
  shown: string,
  value: string | undefined,
  { workspace, history, help }: Editing,
): Promise<Outcome> {
  if (value === undefined) {
    throw new EditorFault("Cannot create file without 'file_text' parameter.");
  }
  const folder = shown.includes('/') ? shown.slice(0, shown.lastIndexOf('/')) || '/' : '.';
  if ((await workspace.stat(folder)) === undefined) {
    const quoted = `[Errno 2] No such file or directory: '${shown}'`;
    const hint = help
      ? [`The folder ${folder} is not there: make it with execute_bash first.`]
      : [];
    throw new EditorFault(`Error creating file at ${shown}: ${quoted}`, { help: hint });
  }
  const text = wholeFile(value);
  if (!text.isWellFormed())
    throw new EditorFault(`Error creating file at ${shown}: half a character`);
  const { realPath } = await saveFile(workspace, shown, Buffer.from(text, 'utf8'));
  history.push(realPath, new Uint8Array(0));
  const seen = numbered(value.trim().replaceAll('\r\n', '\n'), shown);
  return done(`File created at ${shown}. ${seen}${REVIEW_FILE}\n`, { mutated: true });
}

/** One exact piece for another; every other byte of the file stays. */
export async function replace(
  shown: string,
  values: { old: string | undefined; new: string | undefined },
  context: Editing,
): Promise<Outcome> {
  if (values.old === undefined) {
    throw new EditorFault("Missing required parameter 'old_str' for 'str_replace'.");
  }
  const texts = replacementOf(values.old, values.new ?? '');
  if (texts.old === '') throw new EditorFault("The parameter 'old_str' is empty.");
  const before = await openFile(context.workspace, shown);
  const { help } = context;
  const request = { old: texts.old, new: texts.new, replaceAll: false, help };
  const outcome = editText(before.bytes, before.file, request);
  if (outcome.kind === 'unchanged') {
    throw new EditorFault(`Nothing changed in ${shown}: old_str and new_str are the same.`);
  }
  if (outcome.kind === 'refused') throw refused(shown, values.old.trim(), outcome);
  const text = await store(before, outcome.bytes, context);
  const line = lineNumberAt(before.text, outcome.at) - 1;
  const first = Math.max(0, line - AROUND);
  const last = line + AROUND + texts.new.split('\n').length - 1;
  const snippet = text
    .split('\n')
    .slice(first, last + 1)
    .join('\n');
  const seen = numbered(snippet, `a snippet of ${shown}`, first + 1);
  return done(`The file ${shown} has been edited. ${seen}${REVIEW}\n`, {
    mutated: true,
    help: outcome.help,
  });
}

function refused(
  shown: string,
  old: string,
  outcome: Extract<ReturnType<typeof editText>, { kind: 'refused' }>,
): EditorFault {
  const help = outcome.help.map((line) => line.replaceAll('old_string', 'old_str'));
  const piece = clipped(old);
  if (outcome.reason === 'not_found') {
    return new EditorFault(`No occurrences of '${piece}' found in ${shown} for replacement.`, {
      help,
    });
  }
  if (outcome.reason === 'ambiguous') {
    const text = `Multiple occurrences of '${piece}' found in ${shown}. Please ensure it is unique before using str_replace.`;
    return new EditorFault(text, { help });
  }
  return new EditorFault(outcome.message.replaceAll('_string', '_str'), { help });
}

/** Whole lines behind a line; 0 is the start of the file. */
export async function insert(
  shown: string,
  line: number | null,
  value: string | undefined,
  context: Editing,
): Promise<Outcome> {
  if (value === undefined) {
    throw new EditorFault("Missing required parameter 'new_str' for 'insert'.");
  }
  const before = await openFile(context.workspace, shown);
  const lines = before.text.split('\n');
  if (line === null || line < 0 || line > lines.length) {
    throw new EditorFault(
      `Invalid insert_line ${line ?? 'None'}. Must be in [0, ${lines.length}].`,
    );
  }
  const added = unwrapped(value).replaceAll('\r\n', '\n').split('\n');
  const after = bytesWith(before, line, added);
  await store(before, after, context);
  const around = [
    ...lines.slice(Math.max(0, line - AROUND), line),
    ...added,
    ...lines.slice(line, line + AROUND),
  ];
  const first = Math.max(1, line - AROUND + 1);
  const seen = numbered(around.join('\n'), 'a snippet of the edited file', first);
  return done(`The file ${shown} has been edited. ${seen}${REVIEW_INSERT}\n`, { mutated: true });
}

/** The file with lines put in; they take the line end of the line before them. */
function bytesWith({ bytes, file, shown }: OpenFile, line: number, added: string[]): Uint8Array {
  const starts = [0];
  for (let at = file.text.indexOf('\n'); at !== -1; at = file.text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  const start = starts[line] ?? file.text.length;
  const before = file.text.slice(0, start);
  const isOpen = before !== '' && !before.endsWith('\n');
  const end = before.endsWith('\r\n')
    ? '\r\n'
    : before.endsWith('\n')
      ? '\n'
      : mainLineEnd(file.text);
  const text = added.join(end);
  const splice = { start, end: start, text: isOpen ? end + text : text + end };
  const result = spliceBytes(bytes, file, [splice]);
  if (result.ok) return result.bytes;
  const list = result.characters.map((character) => JSON.stringify(character)).join(', ');
  throw new EditorFault(
    `Failed to write file ${shown}: its encoding, ${file.codec.name}, cannot hold ${list}`,
  );
}

/** Writes, remembers what was there, and returns the text that is there now. */
async function store(
  before: OpenFile,
  bytes: Uint8Array,
  { workspace, history }: Editing,
): Promise<string> {
  const { realPath } = await saveFile(workspace, before.shown, bytes);
  history.push(realPath, before.bytes);
  const now = readText(bytes);
  return now ? plainText(now) : '';
}

export async function undo(shown: string, { workspace, history }: Editing): Promise<Outcome> {
  const { realPath } = await openFile(workspace, shown);
  const bytes = history.pop(realPath);
  if (bytes === undefined) throw new EditorFault(`No previous edits found for ${shown} to undo.`);
  await saveFile(workspace, shown, bytes);
  const file = readText(bytes);
  const seen = numbered(file ? plainText(file) : '', shown);
  return done(`Last edit to ${shown} undone successfully. ${seen}\n`, { mutated: true });
}
