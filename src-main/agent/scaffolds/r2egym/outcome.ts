import type { RunResult, Workspace } from '../../../workspaces/index.ts';

/** What a function did, before it becomes an observation. */
export interface Outcome {
  /** All that stands below `Execution output of [NAME]:`, as the original prints it. */
  output: string;
  /** `execute_bash` only: what stands behind `Exit code:`. */
  exitCode?: string;
  /** Ours: one line each in square brackets below; only where the original falls short. */
  help: string[];
  isError: boolean;
  mutated: boolean;
  run?: RunResult;
  notes: string[];
}

export interface FunctionContext {
  workspace: Workspace;
  signal: AbortSignal;
  /** Off: the observations are the original's own and nothing else. */
  help: boolean;
  /** First words that `execute_bash` refuses. */
  blocked: readonly string[];
  /** Of each command. */
  timeoutMs: number;
}

export type Arguments = Readonly<Record<string, unknown>>;
export type R2eFunction = (args: Arguments, context: FunctionContext) => Promise<Outcome>;

/** A refusal as the original's editor prints it. Thrown by functions, turned into an outcome. */
export class EditorFault extends Error {
  override readonly name = 'EditorFault';
  readonly help: string[];
  /** Some refusals of the original come below an empty line. */
  readonly blankLine: boolean;

  constructor(message: string, options: { help?: string[]; blankLine?: boolean } = {}) {
    super(message);
    this.help = options.help ?? [];
    this.blankLine = options.blankLine ?? false;
  }
}

export function done(output: string, more: Partial<Outcome> = {}): Outcome {
  return { output, help: [], isError: false, mutated: false, notes: [], ...more };
}

/** A parameter as written, blanks and all; `undefined` when it is not there. */
export function rawArgument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A name, path, number or command: read without the blanks around it; `undefined` when empty. */
export function plainArgument(args: Arguments, name: string): string | undefined {
  const value = rawArgument(args, name)?.trim();
  return value === '' ? undefined : value;
}
