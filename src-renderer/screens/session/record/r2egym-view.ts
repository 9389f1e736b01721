import type { CallView } from './call-form.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Form = (args: Arguments, result: string) => CallView | null;

/** Calls of the scaffold `r2egym` in the forms made for such tools. */
export const R2EGYM_FORMS: Readonly<Record<string, Form>> = {
  execute_bash(args, result) {
    const command = text(args, 'cmd') ?? text(args, 'command');
    return command === null
      ? null
      : { form: 'bash', command: command.trim(), what: null, ...streams(outputOf(result)) };
  },
  file_editor(args, result) {
    const command = text(args, 'command')?.trim() ?? '';
    const path = text(args, 'path')?.trim() ?? null;
    return path === null ? null : (EDITOR_FORMS[command]?.(path, args, outputOf(result)) ?? null);
  },
  search(args, result) {
    const pattern = text(args, 'search_term')?.trim() ?? null;
    if (pattern === null) return null;
    const lines = outputOf(result).split('\n');
    const isRemark = (line: string) => SEARCH_REMARK.test(line);
    return {
      ...{ form: 'glob', pattern, folder: text(args, 'path') },
      paths: lines.filter((line) => line !== '' && !isRemark(line)),
      notes: lines.filter(isRemark),
    };
  },
};

/** What a call of the editor is about: the verb, too, since all have the same name. */
export function editorSubject(name: string, args: Arguments): string | null {
  if (name !== 'file_editor') return null;
  const [command, path] = [text(args, 'command'), text(args, 'path')];
  return path === null ? null : `${command?.trim() ?? ''} ${path.trim()}`.trim();
}

type EditorForm = (path: string, args: Arguments, output: string) => CallView | null;

const EDITOR_FORMS: Readonly<Record<string, EditorForm>> = {
  view(path, _args, output) {
    const [title = '', ...rest] = output.split('\n');
    if (title.includes('up to 2 levels deep')) {
      return { form: 'glob', pattern: path, folder: null, paths: rest.filter(isThere), notes: [] };
    }
    return { form: 'read', path, ...numberedLines(rest) };
  },
  create(path, args, output) {
    const content = text(args, 'file_text');
    return content === null
      ? null
      : { form: 'write', path, text: unwrapped(content), said: saidOf(output) };
  },
  str_replace(path, args, output) {
    const before = text(args, 'old_str');
    if (before === null) return null;
    const after = unwrapped(text(args, 'new_str') ?? '');
    const said = saidOf(output);
    return { form: 'edit', path, before: unwrapped(before), after, all: false, said };
  },
  insert(path, args, output) {
    const after = text(args, 'new_str');
    return after === null
      ? null
      : {
          ...{ form: 'edit', path, before: '', after: unwrapped(after), all: false },
          said: saidOf(output),
        };
  },
};

const HEAD = /^(?:Exit code: .*\n)?Execution output of \[.*\]:\n/;

function outputOf(result: string): string {
  return result.replace(HEAD, '');
}

const OUT = '[STDOUT]\n\n';
const ERR = '\n\n[STDERR]\n\n';

function streams(output: string): { stdout: string; stderr: string } {
  const out = output.indexOf(OUT);
  // A program may print the heading itself; ours is the last one.
  const err = output.lastIndexOf(ERR);
  if (out === -1) return { stdout: output, stderr: '' };
  if (err < out) return { stdout: output.slice(out + OUT.length), stderr: '' };
  return {
    stdout: output.slice(out + OUT.length, err).replace(/ $/, ''),
    stderr: output.slice(err + ERR.length),
  };
}

const NUMBERED = /^ *(\d+) (.*)$/;

/** Lines with their numbers in front; a condensed file keeps them, since some lines are left out. */
function numberedLines(lines: string[]): {
  firstLine: number | null;
  text: string;
  notes: string[];
} {
  const there = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const end = there.findIndex((line) => !NUMBERED.test(line));
  const shown = end === -1 ? there : there.slice(0, end);
  const notes = (end === -1 ? [] : there.slice(end)).filter(isThere);
  const numbers = shown.map((line) => Number(NUMBERED.exec(line)?.[1]));
  const first = numbers[0] ?? 1;
  const isWhole = numbers.every((number, at) => number === first + at);
  if (!isWhole) return { firstLine: null, text: shown.join('\n'), notes };
  const text = shown.map((line) => NUMBERED.exec(line)?.[2] ?? '').join('\n');
  return { firstLine: first, text, notes };
}

const SEARCH_REMARK =
  /^(?:Found \d+ matches for |End of matches for |Matches for |No matches found for |More than \d+ files matched |\[.*\]$)/;

/** The first sentence, and what we added in square brackets: the rest repeats the file. */
function saidOf(output: string): string {
  const lines = output.split('\n');
  return [lines[0] ?? '', ...lines.slice(1).filter((line) => /^\[.*\]$/.test(line))].join('\n');
}

/** The line breaks beside the tags belong to the markup. */
function unwrapped(value: string): string {
  return value.replace(/^[ \t]*\r?\n/, '').replace(/\r?\n[ \t]*$/, '');
}

function isThere(line: string): boolean {
  return line.trim() !== '';
}

function text(args: Arguments, name: string): string | null {
  const value = args[name];
  return typeof value === 'string' ? value : null;
}
