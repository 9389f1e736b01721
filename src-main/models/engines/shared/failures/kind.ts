import type { Failure, ServerEngineId } from '../../../servers/types.ts';

/** A recognisable way in which a server fails. */
export interface FailureKind {
  kind: string;
  engines: readonly ServerEngineId[];
  /** Fragment of the line that names the fault; its groups carry the numbers. */
  pattern: RegExp;
  cause: (match: RegExpExecArray) => string;
  /** What to do, with the numbers of the line where it has any. */
  remedy: (match: RegExpExecArray) => string;
  /** The same start would fail again. */
  deterministic: boolean;
  /** Change with which one more try makes sense. */
  retryWith?: (match: RegExpExecArray) => Failure['retryWith'];
}

export const VLLM: readonly ServerEngineId[] = ['vllm'];
export const SGLANG: readonly ServerEngineId[] = ['sglang'];
export const PYTHON: readonly ServerEngineId[] = ['vllm', 'sglang'];
export const LLAMA: readonly ServerEngineId[] = ['llamacpp', 'llama-server'];
export const ALL: readonly ServerEngineId[] = ['vllm', 'sglang', 'llamacpp', 'llama-server'];

/** A number as a log writes it, maybe with thousands separators; `null` when it is none. */
export function numberOf(text: string | undefined): number | null {
  const digits = (text ?? '').replaceAll(',', '');
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : null;
}

/** `32,768`. */
export function shownNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** A window below this is of no use: prompt and tools of the scaffolds alone come near it. */
const LEAST_CONTEXT_TOKENS = 4_096;

/** One more try with a window that the engine says it can hold, unless that is too small to use. */
export function retryWithContext(tokens: number | null): Failure['retryWith'] {
  return tokens !== null && tokens >= LEAST_CONTEXT_TOKENS ? { contextTokens: tokens } : null;
}
