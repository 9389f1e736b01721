import type { RunResult, Workspace } from '../../../workspaces/index.ts';

/** What a tool did, before it becomes an observation. */
export interface ToolOutcome {
  /** Leaf's own text, complete. */
  text: string;
  /** What we add: one line each, shown in square brackets below; only where Leaf itself falls short. */
  help: string[];
  isError: boolean;
  mutated: boolean;
  run?: RunResult;
  /** For the record only. */
  notes: string[];
}

export interface ToolContext {
  workspace: Workspace;
  signal: AbortSignal;
  /** Off: the observations are Leaf's own and nothing else. */
  help: boolean;
}

export type Tool = (
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
) => Promise<ToolOutcome>;

/** A failed call in Leaf's form, `ExceptionType: message`. Thrown by tools, turned into an outcome. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
  readonly help: string[];

  constructor(exception: string, message: string, help: string[] = []) {
    super(`${exception}: ${message}`);
    this.help = help;
  }
}

export function valueError(message: string, help: string[] = []): ToolFault {
  return new ToolFault('ValueError', message, help);
}

export function success(text: string, more: Partial<ToolOutcome> = {}): ToolOutcome {
  return { text, help: [], isError: false, mutated: false, notes: [], ...more };
}

/** A path between single quotes as Python's `repr` shows it, for the texts of its exceptions. */
export function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\']|\p{Cc}/gu, (char) => {
    if (char === "'") return quote === "'" ? "\\'" : char;
    if (char === '\\') return '\\\\';
    if (char === '\n') return '\\n';
    if (char === '\r') return '\\r';
    if (char === '\t') return '\\t';
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return quote + body + quote;
}
