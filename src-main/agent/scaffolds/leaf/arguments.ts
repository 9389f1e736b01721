import { pythonQuoted, ToolFault, valueError } from './outcome.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Leaf takes `path` for `file_path`. @throws ToolFault when both are missing or empty. */
export function pathArgument(args: Arguments): string {
  const value = isGiven(args['file_path']) ? args['file_path'] : args['path'];
  if (!isGiven(value)) throw valueError('file_path is required');
  return textOf('file_path', value);
}

/** A text that may be empty but must be there (T16). */
export function textArgument(args: Arguments, name: string): string {
  const value = args[name];
  if (value === undefined || value === null) throw valueError(`${name} is required`);
  return textOf(name, value);
}

/** A text that must not be empty either. */
export function filledArgument(args: Arguments, name: string): string {
  if (!isGiven(args[name])) throw valueError(`${name} is required`);
  return textOf(name, args[name]);
}

/** An integer, also as a string; `fallback` when it is missing or empty. */
export function integerArgument(args: Arguments, name: string, fallback: number): number {
  const value = args[name];
  if (value === undefined || value === null || value === '') return fallback;
  if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // What Python's int() takes, and the whole number as a float, which models write too.
  const match = /^\s*([-+]?\d+)(?:\.0*)?\s*$/.exec(text);
  if (match) return Number(match[1]);
  throw valueError(`invalid literal for int() with base 10: ${pythonQuoted(text)}`);
}

export function flagArgument(args: Arguments, name: string): boolean {
  const value = args[name];
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  return ['1', 'true', 'yes', 'on'].includes(textOf(name, value).trim().toLowerCase());
}

const DEFAULT_TIMEOUT_S = 120;
const LEAST_TIMEOUT_S = 0.1;
/** Ours: nothing waits longer than this for one command. */
const MOST_TIMEOUT_S = 3600;

/** Seconds: `timeout_ms`, else `timeout`, which counts as milliseconds above 1000. */
export function timeoutArgument(args: Arguments): number {
  const inMs = args['timeout_ms'];
  if (inMs !== undefined && inMs !== null) return bounded(floatOf(inMs) / 1000);
  const raw = args['timeout'];
  if (raw === undefined || raw === null || raw === '') return DEFAULT_TIMEOUT_S;
  const value = floatOf(raw);
  return bounded(value > 1000 ? value / 1000 : value);
}

function bounded(seconds: number): number {
  return Math.min(MOST_TIMEOUT_S, Math.max(LEAST_TIMEOUT_S, seconds));
}

function floatOf(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(textOf('timeout', value).trim() || 'x');
  if (Number.isFinite(number)) return number;
  throw valueError(`could not convert string to float: ${pythonQuoted(textOf('timeout', value))}`);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ToolFault('TypeError', `${name} must be a string`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
