import { decodeOutput, shorten } from '../../text/output.ts';
import { splitLines } from '../../text/lines.ts';
import { done, EditorFault, type FunctionContext, type Outcome } from '../outcome.ts';
import { clipped, viewLine } from './numbered.ts';
import { openFile, type Place } from './place.ts';
import { condensed, skeletonOf } from './skeleton.ts';

/** A longer Python file is shown condensed unless a range is asked for. */
const LONG_FILE_LINES = 110;
const LIST_TIMEOUT_MS = 20_000;
const LIST = `find -L "$EDITOR_FOLDER" -maxdepth 2 ! -path '*/.*' '(' -type d -o -name '*.py' ')'`;

export interface ViewRequest {
  range: readonly [number, number] | null;
  concise: boolean;
}

export async function view(
  place: Place,
  request: ViewRequest,
  context: FunctionContext,
): Promise<Outcome> {
  return place.kind === 'folder'
    ? viewFolder(place.shown, context)
    : viewFile(place.shown, request, context);
}

async function viewFolder(shown: string, { workspace, signal }: FunctionContext): Promise<Outcome> {
  const run = await workspace.run({
    command: LIST,
    shell: 'sh',
    // A name that begins with a dash would be an option of find.
    env: { EDITOR_FOLDER: shown.startsWith('-') ? `./${shown}` : shown },
    timeoutMs: LIST_TIMEOUT_MS,
    signal,
  });
  if (run.cancelled) signal.throwIfAborted();
  const errors = shorten(decodeOutput(run.stderr), 2_000).trim();
  if (errors !== '') return done(`\nERROR: ${errors}\n`, { isError: true });
  const listed = shorten(decodeOutput(run.stdout), 20_000);
  const text = `Here's the files and directories up to 2 levels deep in ${shown}, excluding hidden:\n${listed}`;
  return done(`${clipped(text)}\n`);
}

async function viewFile(
  shown: string,
  { range, concise }: ViewRequest,
  context: FunctionContext,
): Promise<Outcome> {
  if (!shown.endsWith('.py')) return notPython(shown, context.help);
  const { text } = await openFile(context.workspace, shown);
  const lines = splitLines(text);
  const wanted = concise || (range === null && lines.length > LONG_FILE_LINES);
  const skeleton = wanted ? await skeletonOf(shown, context) : null;
  const all =
    skeleton === null ? lines.map((line, at) => ({ at, text: line })) : condensed(lines, skeleton);
  if (range !== null) checkRange(range, lines.length);
  const [from, to] = range ?? [1, -1];
  const some = all.filter(({ at }) => at + 1 >= from && (to === -1 || at + 1 <= to));
  const title =
    skeleton === null
      ? `Here's the result of running \`cat -n\` on the file: ${shown}:\n`
      : `Here is a condensed view for file: ${shown}; [Note: Useful for understanding file structure in a concise manner. Please use specific view_range without concise cmd if you want to explore further into the relevant parts.]\n`;
  const body = some.map((line) => viewLine(line.at, line.text)).join('\n');
  return done(`${clipped(title + body)}\n`);
}

function checkRange([from, to]: readonly [number, number], lines: number): void {
  const shown = `Invalid view_range [${from}, ${to}]:`;
  if (from < 1 || from > lines) {
    throw new EditorFault(`${shown} start line must be in [1, ${lines}]`, { blankLine: true });
  }
  if (to !== -1 && (to < from || to > lines)) {
    const end = `${shown} end must be >= start and <= ${lines}, or -1 to view until end.`;
    throw new EditorFault(end, { blankLine: true });
  }
}

/** The original looks at Python files only. */
function notPython(shown: string, help: boolean): Outcome {
  const name = shown.split('/').at(-1) ?? shown;
  const text = `ERROR: Viewing non-Python files is disallowed for saving context. File '${name}' is not a .py file.`;
  return done(`\nERROR: ${text}\n`, {
    isError: true,
    help: help ? ['Look at it with execute_bash, e.g. cat or sed -n.'] : [],
  });
}
