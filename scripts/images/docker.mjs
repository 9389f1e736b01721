/** The Docker client as image building needs it: one call, its failure named. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run, which } from '../setup/run.mjs';

/**
 * @param {string[]} args
 * @param {import('../setup/run.mjs').RunOptions} [options]
 * @returns {Promise<string>} stdout, trimmed
 * @throws {EnvironmentProblem} when the client is missing or says no
 */
export async function docker(args, options) {
  const result = await run('docker', args, options);
  if (result.code === 0) return result.stdout.trim();
  throw dockerProblem(args, result);
}

/** @param {string[]} args @param {import('../setup/run.mjs').RunResult} result */
function dockerProblem(args, result) {
  if (which('docker') === undefined) {
    return new EnvironmentProblem('the docker client is not installed', [
      'apt-get install --no-install-recommends docker.io',
    ]);
  }
  return new EnvironmentProblem(`docker ${args[0]} failed: ${lastLine(result)}`, [
    'Look at: docker info',
  ]);
}

/**
 * @param {string} tag
 * @returns {Promise<{ id: string, labels: Record<string, string> } | undefined>} undefined when the
 *   image is not there
 */
export async function inspectImage(tag) {
  const result = await run('docker', ['image', 'inspect', '--format', '{{json .}}', tag]);
  if (result.code !== 0) {
    if (/no such image/i.test(result.stderr)) return undefined;
    throw dockerProblem(['image inspect'], result);
  }
  const image = JSON.parse(result.stdout);
  return { id: image.Id, labels: image.Config?.Labels ?? {} };
}

/**
 * Gives a finished image its name, or removes it where nobody wants it any more.
 *
 * @param {string} id @param {string} tag @param {AbortSignal | undefined} signal
 * @returns {Promise<string>} the id
 */
export async function nameImage(id, tag, signal) {
  if (signal?.aborted) {
    await run('docker', ['image', 'rm', id]);
    signal.throwIfAborted();
  }
  await docker(['tag', id, tag]);
  return id;
}

/**
 * Makes an image of a folder. The signal ends it and nothing of it stays.
 *
 * @param {{ tree: string, tag: string, exclude: string[], changes: string[],
 *   onBytes?: (bytes: number) => void, signal?: AbortSignal | undefined }} options
 * @returns {Promise<string>} the image id
 */
export async function importTree({ tag, signal, ...options }) {
  signal?.throwIfAborted();
  return nameImage(await streamIntoImport(options, signal), tag, signal);
}

/**
 * @param {{ tree: string, exclude: string[], changes: string[],
 *   onBytes?: (bytes: number) => void }} options
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<string>} the id of an image without a name
 */
function streamIntoImport({ tree, exclude, changes, onBytes }, signal) {
  return new Promise((resolve, reject) => {
    const excludes = exclude.map((pattern) => `--exclude=${pattern}`);
    const tarArgs = ['--numeric-owner', '--anchored', ...excludes, '-C', tree, '-cf', '-', '.'];
    const tar = spawn('tar', tarArgs, { stdio: ['ignore', 'pipe', 'pipe'] });
    const importArgs = ['import', ...changes.flatMap((line) => ['--change', line]), '-'];
    const client = spawn('docker', importArgs, { env: process.env });
    // Only an archive that is not complete yet is given up: of a complete one the id comes soon.
    const giveUp = () => tar.kill('SIGKILL');
    signal?.addEventListener('abort', giveUp, { once: true });
    let bytes = 0;
    let id = '';
    let complaint = '';
    tar.stdout.on('data', (/** @type {Buffer} */ chunk) => onBytes?.((bytes += chunk.length)));
    // Its end is told below: a half-written archive must not become an image.
    tar.stdout.pipe(client.stdin, { end: false });
    // The client's own exit code and words say why it stopped reading.
    client.stdin.on('error', () => {});
    client.stdout.on('data', (chunk) => (id += chunk));
    for (const stream of [tar.stderr, client.stderr]) {
      stream.on('data', (chunk) => (complaint = `${complaint}${chunk}`.slice(-4000)));
    }
    const fail = (/** @type {string} */ cause) => {
      if (signal?.aborted) reject(signal.reason);
      else
        reject(new EnvironmentProblem(`docker import failed: ${cause}`, ['Look at: docker info']));
    };
    tar.on('error', (error) => {
      fail(error.message);
      client.kill('SIGKILL');
    });
    client.on('error', (error) => fail(error.message));
    tar.on('close', (code) => {
      if (code === 0) client.stdin.end();
      else client.kill('SIGKILL');
    });
    client.on('close', (code) => {
      signal?.removeEventListener('abort', giveUp);
      // Where the client fails first, nobody reads what is still packed.
      tar.kill('SIGKILL');
      if (code === 0) resolve(id.trim());
      else fail(complaint.trim().split('\n').at(-1) ?? `exit code ${code}`);
    });
  });
}
