import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** A Node older than the pinned one, outside of this checkout; undefined where there is none. */
async function findOlderNode(): Promise<string | undefined> {
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
  ];
  for (const folder of folders) {
    const file = path.join(folder, 'node');
    if (folder.includes('node_modules') || !existsSync(file)) continue;
    const { stdout } = await run(file, ['--version']);
    const major = Number(/^v(\d+)/.exec(stdout)?.[1]);
    if (major >= 20 && major < 24) return file;
  }
  return undefined;
}

const olderNode = await findOlderNode();

/** What the launcher starts in these tests: it says who runs it and counts the signals it gets. */
const STUB = `
const [what, value] = process.argv.slice(2);
if (what === 'exit') process.exitCode = Number(value);
else if (what === 'argv') console.log(JSON.stringify(process.argv.slice(2)));
else if (what === 'kill') process.kill(process.pid, 'SIGKILL');
else {
  let count: number = 0;
  process.on('SIGINT', () => {
    count += 1;
    setTimeout(() => { console.log(\`SIGINT \${count}\`); process.exit(7); }, 300);
  });
  setInterval(() => {}, 1000);
  console.log(\`\${process.versions.node} \${process.pid}\`);
}
`;

let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'vivarium-launcher-'));
  cpSync(path.join(ROOT, 'scripts', 'vivarium.mjs'), path.join(root, 'scripts', 'vivarium.mjs'));
  mkdirSync(path.join(root, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(process.execPath, path.join(root, 'node_modules', '.bin', 'node'));
  mkdirSync(path.join(root, 'src-main', 'doors', 'cli'), { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(root, 'src-main', 'doors', 'cli', 'main.ts'), STUB);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function start(node: string, ...args: string[]) {
  const child = spawn(node, [path.join(root, 'scripts', 'vivarium.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output, closed: once(child, 'close') };
}

async function waitFor(check: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!check()) {
    if (Date.now() > end) throw new Error('waited 10 s in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the vivarium command on the pinned Node', () => {
  it('passes on the exit code and the arguments', async () => {
    const exits = start(process.execPath, 'exit', '2');
    expect(await exits.closed).toEqual([2, null]);
    const echo = start(process.execPath, 'argv', '--issue', 'a "b" $(c)', '');
    await echo.closed;
    expect(JSON.parse(echo.output())).toEqual(['argv', '--issue', 'a "b" $(c)', '']);
  });
});

describe.skipIf(olderNode === undefined)('the vivarium command on an older Node', () => {
  const node = olderNode ?? '';

  it('starts itself again with the pinned one and passes on exit code and arguments', async () => {
    const exits = start(node, 'exit', '3');
    expect(await exits.closed).toEqual([3, null]);
    const echo = start(node, 'argv', '--repo', 'with blank');
    await echo.closed;
    expect(JSON.parse(echo.output())).toEqual(['argv', '--repo', 'with blank']);
    const killed = start(node, 'kill');
    expect(await killed.closed).toEqual([128 + 9, null]);
  });

  it('passes a signal on once', async () => {
    const waiting = start(node, 'wait');
    await waitFor(() => waiting.output().includes('\n'));
    expect(waiting.output().startsWith(`${process.versions.node} `)).toBe(true);
    waiting.child.kill('SIGINT');
    expect(await waiting.closed).toEqual([7, null]);
    expect(waiting.output()).toContain('SIGINT 1\n');
  });

  it('leaves no process behind when the first one is killed', async () => {
    const waiting = start(node, 'wait');
    await waitFor(() => waiting.output().includes('\n'));
    const pid = Number(waiting.output().trim().split(' ')[1]);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    waiting.child.kill('SIGKILL');
    await waitFor(() => !existsSync(`/proc/${pid}`));
  });

  it('says what to do when nothing is installed', async () => {
    const bare = mkdtempSync(path.join(os.tmpdir(), 'vivarium-bare-'));
    cpSync(path.join(root, 'scripts'), path.join(bare, 'scripts'), { recursive: true });
    const failure = await run(node, [path.join(bare, 'scripts', 'vivarium.mjs'), '--help']).catch(
      (error: unknown) => error,
    );
    rmSync(bare, { recursive: true });
    expect(failure).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('npm run bootstrap') as string,
    });
  });
});
