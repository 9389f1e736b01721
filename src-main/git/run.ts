import { execa } from 'execa';
import type { ErrorCode } from '../contract/index.ts';
import { visibleLine, VivariumError } from '../lib/index.ts';
import { gitEnvironment, HARDENED_CONFIG } from './environment.ts';
import type { GitPlace } from './environment.ts';

export interface GitOptions extends GitPlace {
  cwd?: string;
  /** More `name=value` pairs, after the hardened ones. */
  config?: readonly string[];
  input?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Exit codes that are no failure; default only 0. */
  okCodes?: readonly number[];
  /** Output kept at most; more is a failure. Default 256 MiB. */
  maxOutputBytes?: number;
  /** Code of the error when git fails; default `git_failed`. */
  errorCode?: ErrorCode;
  signal?: AbortSignal | undefined;
}

export interface GitResult {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

const DEFAULT_OUTPUT_BYTES = 256 * 1024 * 1024;

const NEXT: Partial<Record<ErrorCode, string>> = {
  repo_unreadable: 'Check with `git status` and `git fsck` in the repository, then start again.',
};

/** A git process that ended with an exit code nobody asked for. */
export class GitFailure extends VivariumError {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(
    code: ErrorCode,
    verb: string,
    exitCode: number | null,
    stderr: string,
    cause: unknown,
  ) {
    const said = firstLines(stderr);
    super(
      code,
      `git ${verb} failed${exitCode === null ? '' : ` with exit code ${exitCode}`}${said === '' ? '' : `: ${said}`}`,
      NEXT[code] ?? 'Run `vivarium doctor` to check git and the disk.',
      cause,
    );
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/**
 * Runs git to its end in the hardened environment, raw bytes in and out.
 * Throws `git_missing`, {@link GitFailure}, or the reason of the signal.
 */
export async function runGit(
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  options.signal?.throwIfAborted();
  const result = await startGit(args, options, true);
  return checkedResult(args, options, result);
}

/**
 * Runs git and yields its output as it comes; throws at the end like {@link runGit}.
 * Leaving the loop early ends the process.
 */
export async function* streamGit(
  args: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  options.signal?.throwIfAborted();
  const subprocess = startGit(args, options, false);
  let ended = false;
  try {
    for await (const chunk of subprocess.stdout) yield chunk as Buffer;
    ended = true;
  } finally {
    if (!ended) {
      subprocess.kill('SIGKILL');
      await subprocess;
    }
  }
  checkedResult(args, options, await subprocess);
}

function startGit(args: readonly string[], options: GitOptions, buffered: boolean) {
  const config = [...HARDENED_CONFIG, ...(options.config ?? [])].flatMap((pair) => ['-c', pair]);
  const { input } = options;
  return execa('git', ['--no-pager', ...config, ...args], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(input === undefined ? { stdin: 'ignore' as const } : inputOf(input)),
    env: gitEnvironment(options),
    extendEnv: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    buffer: { stdout: buffered, stderr: true },
    maxBuffer: { stdout: options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES, stderr: 1024 * 1024 },
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
    forceKillAfterDelay: 1000,
    cleanup: true,
    windowsHide: true,
  });
}

function inputOf(input: Uint8Array | AsyncIterable<Uint8Array>) {
  return input instanceof Uint8Array ? { input } : { stdin: input };
}

interface Ended {
  exitCode?: number | undefined;
  code?: string | undefined;
  stdout?: unknown;
  stderr?: unknown;
  failed: boolean;
  isCanceled: boolean;
  isMaxBuffer: boolean;
  signal?: string | undefined;
  originalMessage?: string | undefined;
  cause?: unknown;
}

function checkedResult(args: readonly string[], options: GitOptions, ended: Ended): GitResult {
  const verb = args[0] ?? '';
  const stderr = Buffer.from((ended.stderr as Uint8Array | undefined) ?? []).toString('utf8');
  if (ended.isCanceled) options.signal?.throwIfAborted();
  if (ended.code === 'ENOENT') throw gitMissing(ended.cause);
  const { exitCode } = ended;
  const wanted = exitCode !== undefined && (options.okCodes ?? [0]).includes(exitCode);
  const inputFailed = ended.failed && exitCode === 0;
  if (!wanted || inputFailed || ended.isMaxBuffer) {
    throwInputFailure(ended);
    const said = stderr.trim() === '' ? endingOf(ended) : stderr;
    throw new GitFailure(
      options.errorCode ?? 'git_failed',
      verb,
      exitCode ?? null,
      said,
      ended.cause,
    );
  }
  const stdout = ended.stdout instanceof Uint8Array ? ended.stdout : new Uint8Array();
  return {
    exitCode,
    stdout: Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength),
    stderr,
  };
}

/** What the source of the input threw is the true cause; git only saw its input end. */
function throwInputFailure(ended: Ended): void {
  if (!ended.isMaxBuffer && ended.cause instanceof Error) throw ended.cause;
}

function endingOf(ended: Ended): string {
  if (ended.isMaxBuffer) return 'its output was larger than allowed';
  if (ended.signal !== undefined) return `it was ended by ${ended.signal}`;
  return ended.originalMessage ?? '';
}

function gitMissing(cause: unknown): VivariumError {
  return new VivariumError(
    'git_missing',
    'git was not found on this machine',
    'Install git (for example: apt-get install git) and start again.',
    cause,
  );
}

function firstLines(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const told = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0] ?? '';
  return visibleLine(told.slice(0, 400));
}
