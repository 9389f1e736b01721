/** Runs programs for set-up: output captured and bounded, lines handed on as they come. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** For programs to tidy up after themselves before they are killed. */
const TIDY_MS = 2_000;

/** Only the end of a program's output is kept; the cause of a failure stands there. */
const KEPT_CHARACTERS = 64 * 1024;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(line: string) => void} [onLine] every line of stdout and stderr, as it comes
 * @property {string | Buffer} [input]
 * @property {number} [timeoutMs]
 * @property {AbortSignal} [signal] ends the program and what it started
 */

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; 127 when the program does not exist, 128 + signal number else
 * @property {string} stdout the last 64 K characters
 * @property {string} stderr the last 64 K characters
 */

/**
 * Never rejects: a program that is missing answers with code 127.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(file, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      // A group of its own, so that its children can be ended with it.
      detached: options.signal !== undefined,
    });
    const release = endWith(child, options.signal);
    const stdout = collect(child.stdout, options.onLine);
    const stderr = collect(child.stderr, options.onLine);
    // A program that ends before it has read its input is judged by its exit code alone.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    child.on('error', (error) =>
      resolve({ code: 127, stdout: stdout(), stderr: `${stderr()}${error.message}` }),
    );
    child.on('close', (code) => {
      release();
      resolve({ code: code ?? 128, stdout: stdout(), stderr: stderr() });
    });
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child leader of its process group
 * @param {AbortSignal | undefined} signal
 * @returns {() => void} to be called when it has ended
 */
function endWith(child, signal) {
  if (signal === undefined) return () => {};
  const { pid } = child;
  if (pid === undefined) return () => {};
  /** @type {NodeJS.Timeout | undefined} */
  let later;
  const end = () => {
    killGroup(pid, 'SIGTERM');
    later = setTimeout(() => killGroup(pid, 'SIGKILL'), TIDY_MS);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => {
    clearTimeout(later);
    signal.removeEventListener('abort', end);
  };
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {((line: string) => void) | undefined} onLine
 */
function collect(stream, onLine) {
  let kept = '';
  let partial = '';
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ text) => {
    kept = (kept + text).slice(-KEPT_CHARACTERS);
    if (onLine === undefined) return;
    const lines = (partial + text).split(/\r?\n|\r/);
    partial = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  return () => kept;
}

/**
 * The folders that `apt` puts system programs into and that a user's PATH may lack.
 */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * @param {string} name
 * @param {string} [searchPath]
 * @returns {string | undefined} the absolute path of a program, or undefined
 */
export function which(name, searchPath = process.env['PATH'] ?? '') {
  for (const folder of [...searchPath.split(path.delimiter), ...SYSTEM_FOLDERS]) {
    const candidate = path.join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/**
 * The environment without the checkout's own `node_modules/.bin`: npm started from it would run on
 * the very Node that it is about to replace.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function outerEnvironment(env = process.env) {
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  return {
    ...env,
    PATH: folders
      .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
      .join(path.delimiter),
  };
}

/** @param {RunResult} result @returns {string} the last line that says something */
export function lastLine(result) {
  const lines = `${result.stdout}\n${result.stderr}`.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? `exit code ${result.code}`;
}
