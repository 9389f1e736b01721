import { VivariumError } from '../../lib/index.ts';
import type { ChildExit } from '../child.ts';
import type { BoundedLog } from '../log/index.ts';
import type { Failure, ServerEngine } from '../servers/types.ts';

export interface ExitContext {
  engine: ServerEngine;
  log: BoundedLog;
  exit: ChildExit | null;
  outOfMemoryKilled: boolean;
  /** Somebody else listens on its port. */
  portTaken: boolean;
  /** It was ready before it failed. */
  wasReady: boolean;
  /** What the server said by message, where it can. */
  told: Failure | null;
}

/** Why a server ended: as its engine knows it, else by what is known of any process. */
export function failureOfExit(context: ExitContext): Failure {
  const { engine, log, exit, outOfMemoryKilled, wasReady } = context;
  const endedItself = exit !== null && exit.signal === null && exit.code !== 0;
  const portTaken = context.portTaken && endedItself && !wasReady;
  const known = engine.classify({ lines: log.lines(), exit, outOfMemoryKilled, portTaken });
  return known ?? context.told ?? unknownExit(context);
}

function unknownExit({ log, exit, outOfMemoryKilled, wasReady }: ExitContext): Failure {
  const when = wasReady ? 'while it was in use' : 'while it loaded the model';
  const line = log.cause();
  if (exit?.signal === 'SIGKILL' && outOfMemoryKilled) {
    return {
      kind: 'out_of_memory_killed',
      line,
      cause: `The system ran out of memory and killed the engine ${when}.`,
      remedy: 'Use a smaller context, fewer sequences or a smaller model, or close other programs.',
      deterministic: !wasReady,
      retryWith: null,
    };
  }
  const how =
    exit === null
      ? 'ended'
      : exit.signal === null
        ? `ended with exit code ${String(exit.code)}`
        : `was ended by ${exit.signal}`;
  return {
    kind: 'exited',
    line,
    cause: `The engine ${how} ${when}.`,
    remedy: `What it printed is in ${log.file}.`,
    // A program that gives up by itself while loading gives up again; one that was hit may not.
    deterministic: !wasReady && exit?.signal === null,
    retryWith: null,
  };
}

export function stalledFailure(log: BoundedLog, seconds: number, what: string): Failure {
  return {
    kind: 'stalled',
    line: log.cause(),
    cause: `${what}: no output, no processor time and no reading for ${seconds} s.`,
    remedy: `Look at the end of ${log.file}; a driver or disk that hangs needs a restart of the machine.`,
    // What holds it up would hold up the next one, for as long again.
    deterministic: true,
    retryWith: null,
  };
}

export function hungFailure(log: BoundedLog, seconds: number): Failure {
  return {
    kind: 'hung',
    line: log.cause(),
    cause: `The engine answers but generates nothing: not one token in ${seconds} s.`,
    remedy: 'It is started again; if this comes back, use another version of the engine.',
    deterministic: false,
    retryWith: null,
  };
}

export function unreachableFailure(log: BoundedLog, detail: string): Failure {
  return {
    kind: 'unreachable',
    line: detail,
    cause: 'The engine runs but does not serve its model any more.',
    remedy: `It is started again; what it printed is in ${log.file}.`,
    deterministic: false,
    retryWith: null,
  };
}

export function foreignFailure(detail: string, port: number): Failure {
  return {
    kind: 'port_taken',
    line: detail,
    cause: `Another program answers on port ${port}.`,
    remedy: 'Another port is tried.',
    deterministic: true,
    retryWith: { newPort: true },
  };
}

export function silentFailure(log: BoundedLog, why: string): Failure {
  return {
    kind: 'no_token',
    line: why,
    cause: 'The engine lists the model but does not generate one token.',
    remedy: `Look at ${log.file}; the chat template or the parsers may not fit the model.`,
    deterministic: true,
    retryWith: null,
  };
}

export function stuckFailure(left: readonly number[]): Failure {
  return {
    kind: 'stuck',
    line: '',
    cause: `Processes ${left.join(', ')} of the server survive being killed.`,
    remedy: 'They hang in a driver; only a restart of the machine ends them and frees the memory.',
    deterministic: true,
    retryWith: null,
  };
}

/** What was thrown before there was a process, as a failure. */
export function thrownFailure(error: VivariumError): Failure {
  return {
    kind: error.code,
    line: '',
    cause: error.message,
    remedy: error.next,
    deterministic: true,
    retryWith: null,
  };
}

/** The failure as whoever asked for the start sees it. */
export function toError(name: string, failure: Failure): VivariumError {
  const shown =
    failure.line === '' || failure.cause.includes(failure.line) ? '' : ` ${failure.line}`;
  return new VivariumError(
    'engine_failed',
    `The server of ${name} failed. ${failure.cause}${shown}`,
    failure.remedy,
    failure,
  );
}
