import { VivariumError } from '../../lib/index.ts';
import type { RunRequest } from '../types.ts';
import { shellWord } from './quote.ts';

/** The kernel takes at most 128 KiB in one argument; longer scripts travel as a file. */
const MAX_ARGUMENT_BYTES = 100_000;
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Linux numbers, as the workspace has them whatever the host is. */
const SIGNALS: Readonly<Record<number, string>> = {
  2: 'INT',
  3: 'QUIT',
  4: 'ILL',
  5: 'TRAP',
  6: 'ABRT',
  7: 'BUS',
  8: 'FPE',
  9: 'KILL',
  10: 'USR1',
  11: 'SEGV',
  12: 'USR2',
  13: 'PIPE',
  14: 'ALRM',
  15: 'TERM',
  24: 'XCPU',
  25: 'XFSZ',
  31: 'SYS',
};

/** Shell code and payload of one run; `bash`: its full name, `null` to use `sh`. */
export function encodeRun(
  request: RunRequest,
  id: string,
  cwd: string,
  bash: string | null,
  ownPids: readonly number[],
): { code: string; payload?: Uint8Array } {
  if (request.command.includes('\0')) throw invalid('The command holds a NUL character.');
  const variables = Object.entries(request.env ?? {}).map(([name, value]) => {
    if (!ENVIRONMENT_NAME.test(name)) throw invalid(`${JSON.stringify(name)} is no variable name.`);
    if (value.includes('\0')) throw invalid(`The variable ${name} holds a NUL character.`);
    return shellWord(`${name}=${value}`);
  });
  const login = bash === null ? '' : 'l';
  // By its full name, since bash puts the name it was called by into its messages.
  const program = bash === null ? 'sh' : shellWord(bash);
  const script = Buffer.from(request.command);
  const run = (flag: string, text: string) =>
    [
      'vv_run',
      id,
      shellWord(cwd),
      program,
      flag,
      text,
      shellWord(ownPids.join(' ')),
      ...variables,
    ].join(' ');
  if (script.length <= MAX_ARGUMENT_BYTES) {
    return { code: run(`-${login}c`, shellWord(request.command)) };
  }
  const file = `/tmp/.vivarium-script-${id}`;
  const flag = login === '' ? '--' : '-l';
  const code = `vv_take ${script.length} >${file}; ${run(flag, file)}; rm -f ${file}`;
  return { code, payload: script };
}

function invalid(message: string): VivariumError {
  return new VivariumError('workspace_failed', message, 'Change the command.');
}

/** What `vv_run` reported. */
export interface RunStatus {
  exitCode: number | null;
  signal: string | null;
  /** Processes the kernel has killed for memory since the workspace began; `null` if unknown. */
  oomKills: number | null;
  /** Pids of processes alive now that were not there before the run. */
  left: number[];
  /** Those that were there before it and still are. */
  known: number[];
}

/**
 * A shell cannot tell `exit 137` from a death by signal 9; such codes are read as the signal they
 * stand for. 129 stays a code: git exits with it on wrong usage.
 */
export function decodeStatus(status: string): RunStatus | undefined {
  const match = /^(\d+) (\d+|-)((?: \d+)*) \/((?: \d+)*)$/.exec(status);
  if (!match) return undefined;
  const code = Number(match[1]);
  const signal = SIGNALS[code - 128] ?? null;
  return {
    exitCode: signal === null ? code : null,
    signal,
    oomKills: match[2] === '-' ? null : Number(match[2]),
    left: pids(match[3]),
    known: pids(match[4]),
  };
}

function pids(text: string | undefined): number[] {
  return (text ?? '').split(' ').slice(1).map(Number);
}
