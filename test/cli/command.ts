/** What the tests of the command line share: a repository with a bug, scripts, the command itself. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const COMMAND = path.join(ROOT, 'scripts', 'vivarium.mjs');
export const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

const execute = promisify(execFile);

/** What a docker command prints. */
export async function docker(...words: string[]): Promise<string> {
  return (await execute('docker', words)).stdout.trim();
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Place {
  folder: string;
  repository: string;
  home: string;
}

const GIT_NAME = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];

export async function git(repository: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', repository, ...GIT_NAME, ...args]);
  return stdout;
}

/** A folder with a repository whose `total` is one too high, and a place for data. */
export async function makePlace(files: Record<string, string> = {}): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vivarium-command-'));
  const repository = path.join(folder, 'shop');
  const all = {
    'total.py': 'def total(items):\n    return sum(items) + 1\n',
    'tests/test_total.py':
      'from total import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(repository, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await git(repository, 'init', '-q');
  await git(repository, 'add', '.');
  await git(repository, 'commit', '-q', '-m', 'A shop');
  return { folder, repository, home: path.join(folder, 'home') };
}

export async function removePlace({ folder }: Place): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

let calls = 0;

/** One call, for a line of a script. */
export function call(name: string, args: Record<string, unknown>): object {
  calls += 1;
  return {
    id: `call${calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
}

export const READ = { content: '', tool_calls: [call('Read', { file_path: 'total.py' })] };
export const FIX = {
  content: 'I take the 1 away.',
  tool_calls: [
    call('Edit', { file_path: 'total.py', old_string: 'sum(items) + 1', new_string: 'sum(items)' }),
  ],
};
export const DONE = { content: 'The total was one too high; it is right now.' };
/** Keeps the attempt busy until it is stopped. */
export const WAIT = {
  content: '',
  tool_calls: [call('Bash', { command: 'sleep 300', timeout: 400 })],
};

/** Writes a script and returns it as a MODEL argument. */
export async function script(place: Place, ...replies: object[]): Promise<string> {
  calls += 1;
  const file = path.join(place.folder, `script${calls}.jsonl`);
  await writeFile(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
  return `script:${file}`;
}

export interface Running {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  stdout(): string;
  stderr(): string;
  /** Resolves once stderr holds the text. */
  says(text: string): Promise<void>;
  /** Resolves once stdout holds the text so many times. */
  prints(text: string, times?: number): Promise<void>;
  ended: Promise<Ended>;
}

export function start(place: Place, words: readonly string[]): Running {
  const child = spawn(process.execPath, [COMMAND, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: place.folder,
    env: { ...process.env, VIVARIUM_HOME: place.home },
  });
  let stdout = '';
  let stderr = '';
  let over = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      over = `code ${code}, signal ${signal}`;
      resolve({ code, signal, stdout, stderr });
    });
  });
  const until = async (text: string, found: () => boolean): Promise<void> => {
    while (!found()) {
      if (over !== '')
        throw new Error(`it ended (${over}) without saying "${text}":\n${stdout}${stderr}`);
      await sleep(20);
    }
  };
  return {
    pid: child.pid ?? Number.NaN,
    kill: (signal) => void child.kill(signal),
    stdout: () => stdout,
    stderr: () => stderr,
    says: (text) => until(text, () => stderr.includes(text)),
    prints: (text, times = 1) => until(text, () => stdout.split(text).length > times),
    ended,
  };
}

export function run(place: Place, ...words: string[]): Promise<Ended> {
  return start(place, words).ended;
}

/** The words of `vivarium fix` on a place. */
export function fixWords(place: Place, model: string, ...more: string[]): string[] {
  const issue = more.includes('--issue-file') ? [] : ['--issue', 'The total is one too high.'];
  return [
    ...['fix', '--repo', place.repository, '--image', IMAGE, '--model', model],
    ...issue,
    ...more,
  ];
}

/** Sessions on record, newest first. */
export async function sessionsOf(place: Place): Promise<{ sessionId: string; state: string }[]> {
  const { stdout } = await run(place, 'sessions', '--json');
  return JSON.parse(stdout) as { sessionId: string; state: string }[];
}

/** Containers and volumes of the sessions of a place that are still there. */
export async function leftovers(place: Place): Promise<string[]> {
  const found: string[] = [];
  for (const { sessionId } of await sessionsOf(place)) {
    const filter = ['--quiet', '--filter', `label=vivarium.session=${sessionId}`];
    const containers = await docker('ps', '--all', ...filter);
    const volumes = await docker('volume', 'ls', ...filter);
    found.push(...`${containers}\n${volumes}`.split('\n').filter((id) => id !== ''));
  }
  return found;
}
