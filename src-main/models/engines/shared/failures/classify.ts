import { visibleLine } from '../../../../lib/index.ts';
import type { Failure, FailureInput, ServerEngineId } from '../../../servers/types.ts';
import { CRASH_KINDS, LAST_KINDS, WRAPPERS } from './crash.ts';
import type { FailureKind } from './kind.ts';
import { MEMORY_KINDS } from './memory.ts';
import { MODEL_KINDS } from './model.ts';
import { SETUP_KINDS } from './setup.ts';

/** Every kind that is recognised; of two that match a line the earlier one is taken. */
export const FAILURE_KINDS: readonly FailureKind[] = [
  ...MEMORY_KINDS,
  ...MODEL_KINDS,
  ...SETUP_KINDS,
  ...CRASH_KINDS,
];

/** Longest part of a line that is shown. */
const MAX_LINE_LENGTH = 500;
/** Of a line longer than this only the beginning is looked at: patterns cost by length. */
const MAX_SEARCHED_LENGTH = 4_000;

/** Levels that name no failure, in the forms of vLLM (Python logging) and llama.cpp. */
const HARMLESS =
  /^(?:\([^)]*\) )?(?:INFO|WARNING|DEBUG)\b|^\d+\.\d+\.\d+\.\d+ [IWDT] |^\S*Warning: |^warning: |^\s*warnings\.warn\(/;
/** A line that states an error without being one of the known ones. */
const STATES_ERROR =
  /\b\w*(?:Error|Exception)\b: |^\s*(?:\([^)]*\) )?\s*Value error, |^error\b|\berror:|^\d+\.\d+\.\d+\.\d+ E |\bfatal\b/i;
/** One that only speaks of it: of a traceback every line does. */
const SPEAKS_OF_ERROR = /\bERROR\b|\bfailed\b/i;

/**
 * What made a server fail: the first line of its log that names a known fault, else how it ended,
 * else the first line that speaks of an error. `null` when nothing says anything.
 */
export function classifyFailure(engine: ServerEngineId, input: FailureInput): Failure | null {
  const lines = sinceReady(input.lines.map(plain));
  const killed = input.outOfMemoryKilled ? killedForMemory(lines) : null;
  return (
    killed ??
    known(engine, lines, FAILURE_KINDS) ??
    (input.portTaken === true ? portTaken(lines) : null) ??
    lastly(engine, lines) ??
    ending(input, lines) ??
    unknown(input, lines)
  );
}

/** What engines print once they serve. */
const READY =
  /Application startup complete|fired up and ready to roll|(?:llama_server: |server is )listening on/;

/** A server that served has got over whatever it complained of while it loaded. */
function sinceReady(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.findLastIndex((line) => READY.test(line)) + 1);
}

function known(
  engine: ServerEngineId,
  lines: readonly string[],
  all: readonly FailureKind[],
): Failure | null {
  const kinds = all.filter((each) => each.engines.includes(engine));
  for (const line of lines) {
    if (HARMLESS.test(line)) continue;
    for (const kind of kinds) {
      const match = kind.pattern.exec(line);
      if (match === null) continue;
      return failureOf(kind, match, shown(line));
    }
  }
  return null;
}

/** As if its line were there. */
function portTaken(lines: readonly string[]): Failure | null {
  const kind = SETUP_KINDS.find((one) => one.kind === 'port-taken');
  const match = kind?.pattern.exec('address already in use') ?? null;
  return kind === undefined || match === null ? null : failureOf(kind, match, lastLine(lines));
}

function failureOf(kind: FailureKind, match: RegExpExecArray, line: string): Failure {
  return {
    kind: kind.kind,
    line,
    cause: kind.cause(match),
    remedy: kind.remedy(match),
    deterministic: kind.deterministic,
    retryWith: kind.retryWith?.(match) ?? null,
  };
}

/** The end of a process, with the error that it stated before, if it did. */
function lastly(engine: ServerEngineId, lines: readonly string[]): Failure | null {
  const failure = known(engine, lines, LAST_KINDS);
  return failure && { ...failure, line: statedError(lines) ?? failure.line };
}

function killedForMemory(lines: readonly string[]): Failure {
  return {
    kind: 'killed-out-of-memory',
    line: firstError(lines) ?? lastLine(lines),
    cause: 'The system ran out of memory and ended the server.',
    remedy:
      'Close other programs, use a smaller context (contextTokens), or a more strongly quantized model.',
    deterministic: true,
    retryWith: null,
  };
}

const SIGNALS: Readonly<Record<string, string>> = {
  SIGSEGV: 'The engine crashed (invalid memory access).',
  SIGABRT: 'The engine stopped at a check of its own.',
  SIGBUS: 'The engine crashed: a file it reads was cut off, or shared memory is full.',
  SIGFPE: 'The engine crashed (invalid calculation).',
  SIGILL: 'The engine was built for another kind of CPU.',
  SIGKILL: 'The server was killed from outside.',
};

/** Failures that leave no line: the signal says it. Containers report it as 128 and its number. */
function ending(input: FailureInput, lines: readonly string[]): Failure | null {
  const signal = input.exit?.signal ?? signalOf(input.exit?.code ?? null);
  const cause = signal === null ? undefined : SIGNALS[signal];
  if (signal === null || cause === undefined) return null;
  const kinds: Readonly<Record<string, string>> = { SIGKILL: 'killed', SIGILL: 'cpu-unsupported' };
  return {
    kind: kinds[signal] ?? 'engine-crashed',
    line: firstError(lines) ?? lastLine(lines),
    cause,
    remedy:
      signal === 'SIGILL'
        ? 'Install the engine built for this CPU.'
        : 'Start it again; if it happens again, use another version of the engine.',
    deterministic: signal === 'SIGILL',
    retryWith: null,
  };
}

function signalOf(code: number | null): string | null {
  const numbers: Readonly<Record<number, string>> = {
    132: 'SIGILL',
    134: 'SIGABRT',
    135: 'SIGBUS',
    136: 'SIGFPE',
    137: 'SIGKILL',
    139: 'SIGSEGV',
  };
  return code === null ? null : (numbers[code] ?? null);
}

function unknown(input: FailureInput, lines: readonly string[]): Failure | null {
  // A server that ended as it should says nothing of a fault in its last line.
  const line = firstError(lines) ?? (input.exit?.code === 0 ? '' : lastLine(lines));
  if (line === '') return null;
  return {
    kind: 'unknown',
    line,
    cause: 'The engine ended with an error that is not known here.',
    remedy: 'See the log of the server.',
    deterministic: false,
    retryWith: null,
  };
}

/** The first line that states an error and does not merely point to another. */
function statedError(lines: readonly string[]): string | null {
  const first = lines.find(
    (line) => STATES_ERROR.test(line) && !HARMLESS.test(line) && !WRAPPERS.test(line),
  );
  return first === undefined ? null : shown(first);
}

/** The same, or else the first line that speaks of an error at all. */
function firstError(lines: readonly string[]): string | null {
  const told = lines.filter((line) => !HARMLESS.test(line));
  const first =
    told.find((line) => SPEAKS_OF_ERROR.test(line) && !WRAPPERS.test(line)) ??
    told.find((line) => STATES_ERROR.test(line) || SPEAKS_OF_ERROR.test(line));
  return statedError(lines) ?? (first === undefined ? null : shown(first));
}

function lastLine(lines: readonly string[]): string {
  return shown(
    lines.findLast((line) => line.trim() !== '' && !/^\s*warnings\.warn\(/.test(line)) ?? '',
  );
}

function plain(line: string): string {
  // eslint-disable-next-line no-control-regex -- colours of terminals
  return line.slice(0, MAX_SEARCHED_LENGTH).replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}

function shown(line: string): string {
  const text = visibleLine(line.trim());
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
}
