import type { CallView } from './call-form.ts';
import { editorSubject, R2EGYM_FORMS } from './r2egym-view.ts';
import type { StepCall } from './timeline.ts';

export type { CallView };

type Arguments = Readonly<Record<string, unknown>>;

/** Never throws: what does not fit its tool's form is shown as arguments and result. */
export function callView(call: StepCall): CallView {
  const args = parsed(call.arguments);
  const result = call.result ?? '';
  const other = { form: 'other', arguments: pretty(call.arguments), result } as const;
  if (args === null) return other;
  const view = FORMS[call.name]?.(args, result) ?? null;
  if (view === null) return other;
  if (view.form === 'bash' || call.observation?.isError !== true) return view;
  return {
    form: 'failed',
    subject: subjectOf(args),
    arguments: pretty(call.arguments),
    said: result,
  };
}

/** What the call is about in a few words: its path, pattern or command. */
export function callSubject(call: StepCall): string {
  const args = parsed(call.arguments);
  return args === null ? '' : (editorSubject(call.name, args) ?? subjectOf(args));
}

function subjectOf(args: Arguments): string {
  const first = Object.values(args).find((value) => typeof value === 'string') ?? '';
  return (first.trimStart().split('\n', 1)[0] ?? '').slice(0, 300);
}

const FORMS: Readonly<Record<string, (args: Arguments, result: string) => CallView | null>> = {
  ...R2EGYM_FORMS,
  Read(args, result) {
    const path = text(args, 'file_path');
    return path === null ? null : { form: 'read', path, ...numberedLines(result) };
  },
  Edit(args, result) {
    const path = text(args, 'file_path');
    const before = text(args, 'old_string');
    const after = text(args, 'new_string');
    if (path === null || before === null || after === null) return null;
    return { form: 'edit', path, before, after, all: args['replace_all'] === true, said: result };
  },
  Write(args, result) {
    const path = text(args, 'file_path');
    const content = text(args, 'content');
    if (path === null || content === null) return null;
    return { form: 'write', path, text: content, said: result };
  },
  Glob(args, result) {
    const pattern = text(args, 'pattern');
    if (pattern === null) return null;
    const [notes, paths] = split(result.split('\n'), isRemark);
    return { form: 'glob', pattern, folder: text(args, 'path'), paths, notes };
  },
  Bash(args, result) {
    const command = text(args, 'command');
    if (command === null) return null;
    const what = text(args, 'description');
    return { form: 'bash', command, what, ...streams(result) };
  },
};

/** `PATH`, then `N. text` a line, then remarks in square brackets. */
function numberedLines(result: string): { firstLine: number; text: string; notes: string[] } {
  const lines = result.split('\n').slice(1);
  const first = Number(NUMBERED.exec(lines[0] ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(first)) return { firstLine: 1, text: '', notes: lines.filter(isThere) };
  const shown: string[] = [];
  for (const line of lines) {
    const prefix = `${first + shown.length}. `;
    // An empty line loses its space where ends of lines are trimmed.
    if (line.startsWith(prefix)) shown.push(line.slice(prefix.length));
    else if (line === prefix.trimEnd()) shown.push('');
    else break;
  }
  const notes = lines.slice(shown.length).filter(isThere);
  return { firstLine: first, text: shown.join('\n'), notes };
}

const NUMBERED = /^(\d+)\. ?/;

function streams(result: string): { stdout: string; stderr: string } {
  const out = result.indexOf('\nSTDOUT:\n');
  if (out === -1) return { stdout: result, stderr: '' };
  const body = result.slice(out + '\nSTDOUT:\n'.length);
  // A program may print the heading itself; ours is the last one.
  const err = body.lastIndexOf('\nSTDERR:\n');
  if (err === -1) return { stdout: body.replace(/\n?STDERR:\n?$/, ''), stderr: '' };
  return { stdout: body.slice(0, err), stderr: body.slice(err + '\nSTDERR:\n'.length) };
}

function isRemark(line: string): boolean {
  return (
    line === 'No files matched.' || /^\.\.\. \d+ more files$/.test(line) || /^\[.*\]$/.test(line)
  );
}

function isThere(line: string): boolean {
  return line.trim() !== '';
}

function split(lines: string[], test: (line: string) => boolean): [string[], string[]] {
  return [lines.filter(test), lines.filter((line) => !test(line) && line !== '')];
}

function text(args: Arguments, name: string): string | null {
  const value = args[name];
  return typeof value === 'string' ? value : null;
}

function parsed(json: string): Arguments | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Arguments)
      : null;
  } catch {
    return null;
  }
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
