import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vivariumHome } from './home.ts';
import { runCliProcess, startCli } from './testing.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-cli-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: readonly string[], input?: string | Uint8Array) =>
  runCliProcess(words, {
    env: { VIVARIUM_HOME: path.join(folder, 'home') },
    cwd: folder,
    ...(input !== undefined && { input }),
  });

test('a result that cannot be written is said in one line, not thrown', () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', '"$0" "$1" --version > /dev/full', process.execPath, main],
    { encoding: 'utf8' },
  );
  expect(stderr).toMatch(
    /^error: cannot write the result to standard output: ENOSPC[^\n]*\nnext: [^\n]*\n$/,
  );
  expect(status).toBe(3);
});

test('a command without an end of its own ends when nobody reads it any more', () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  // `head` is gone after the first look; the shell waits for both.
  const { status, signal, stdout, stderr } = spawnSync(
    'sh',
    [
      '-c',
      '{ "$0" "$1" models status --watch; echo "$?" >&2; } | head -n 1',
      process.execPath,
      main,
    ],
    {
      encoding: 'utf8',
      timeout: 20_000,
      env: { ...process.env, VIVARIUM_HOME: path.join(folder, 'watched') },
    },
  );
  expect([status, signal, stdout, stderr]).toEqual([0, null, 'No server runs.\n', '0\n']);
}, 30_000);

test('a log that says nothing more is not followed for a reader that is gone', async () => {
  const home = path.join(folder, 'followed');
  const env = { VIVARIUM_HOME: home };
  const gguf = path.resolve(import.meta.dirname, '../../../resources/models/tadpole.gguf');
  expect((await runCliProcess(['models', 'add', gguf], { env })).code).toBe(0);
  const main = path.join(import.meta.dirname, 'main.ts');
  // The reader goes at once, and nothing is ever written to it.
  const { status, signal, stderr } = spawnSync(
    'sh',
    [
      '-c',
      '{ "$0" "$1" models logs tadpole --follow; echo "$?" >&2; } | true',
      process.execPath,
      main,
    ],
    { encoding: 'utf8', timeout: 20_000, env: { ...process.env, ...env } },
  );
  expect([status, signal, stderr.split('\n').at(-2)]).toEqual([0, null, '0']);
}, 30_000);

describe('wrong usage ends with 2, a cause and the next step', () => {
  const help = (command: string) => `See \`vivarium ${command} --help\`.`;
  test.each([
    ['fxi', "unknown command 'fxi'", 'Did you mean fix? See `vivarium --help`.'],
    [
      'images exprot',
      "unknown command 'exprot'",
      'Did you mean import? See `vivarium images --help`.',
    ],
    ['fix --modle x', "unknown option '--modle'", `Did you mean --model? ${help('fix')}`],
    ['fix --model', "option '--model <model>' argument missing", help('fix')],
    [
      'fix --issue a',
      'there is no model to fix it with',
      'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE or http://HOST:PORT/v1#NAME.',
    ],
    [
      'fix --model x',
      'there is no issue to fix',
      'Say what is wrong with --issue TEXT or --issue-file FILE.',
    ],
    [
      'fix --model x --issue a --issue-file b',
      "option '--issue <text>' cannot be used with option '--issue-file <file>'",
      help('fix'),
    ],
    [
      'fix --model x --issue a --attempts 0',
      "option '--attempts <n>' argument '0' is invalid. It must be a whole number of at least 1",
      help('fix'),
    ],
    [
      'fix --model x --issue a --memory much',
      "option '--memory <size>' argument 'much' is invalid. It must be a size like 4GiB or 512MiB, at least 16.0 MiB",
      help('fix'),
    ],
    [
      'fix more --model x --issue a',
      "too many arguments for 'fix'. Expected 0 arguments but got 1: more",
      help('fix'),
    ],
    [
      'fix --model x --issue-file missing.md',
      'cannot read the issue from missing.md: there is no such file',
      'Name a text file of at most 1 MiB that says what is wrong.',
    ],
    [
      'fix --model x --issue-file .',
      'cannot read the issue from .: it is a folder',
      'Name a text file of at most 1 MiB that says what is wrong.',
    ],
    [
      'fix --model x --issue-file /dev/zero',
      'cannot read the issue from /dev/zero: it is larger than 1 MiB',
      'Name a text file of at most 1 MiB that says what is wrong.',
    ],
    ['show', "missing required argument 'id'", help('show')],
    [
      'show s1 --steps --patch',
      "option '--steps' cannot be used with option '--patch'",
      help('show'),
    ],
    ['export s1', 'there is no folder to write to', 'Name one with --out DIR.'],
    [
      'export s1 --out d --format zip',
      "option '--format <format>' argument 'zip' is invalid. Allowed choices are patch, mbox, leaf",
      help('export'),
    ],
    [
      'sessions --limit -1',
      "option '--limit <n>' argument '-1' is invalid. It must be a whole number of at least 1",
      help('sessions'),
    ],
  ])('vivarium %s', async (words, cause, next) => {
    expect(await run(words.split(' '))).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `error: ${cause}\nnext: ${next}\n`,
    });
  });

  test('an issue that is no text, or none', async () => {
    const told = async (input: string | Uint8Array) => {
      const { code, stderr } = await run(['fix', '--model', 'x', '--issue-file', '-'], input);
      return [code, stderr.split('\n')[0]];
    };
    const from = 'error: cannot read the issue from standard input:';
    expect(await told(Buffer.from([65, 0, 66]))).toEqual([2, `${from} it is not a text file`]);
    expect(await told(' \n')).toEqual([2, `${from} it is empty`]);
    expect(await told('x'.repeat(1024 * 1024 + 1))).toEqual([2, `${from} it is larger than 1 MiB`]);
    expect(await run(['fix', '--model', 'x', '--issue', ' '])).toMatchObject({ code: 2 });
    const [, later] = await told('total() is wrong\n');
    expect(later).toBe('error: There is no model named "x".');
  });

  test('with --json the error is on stdout too', async () => {
    const { code, stdout, stderr } = await run(['fix', '--json', '--model', 'x']);
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      {
        error: {
          code: 'usage',
          message: 'there is no issue to fix',
          next: 'Say what is wrong with --issue TEXT or --issue-file FILE.',
        },
      },
    ]);
    expect(stderr).toMatch(/^error: there is no issue to fix\nnext: /);
  });

  test('P10: hostile words come back visible', async () => {
    const { stderr } = await run(['show', 's1', '--\x1b[2J\u202e\x9b']);
    expect(stderr.split('\n')[0]).toBe("error: unknown option '--\\x1b[2J\\u{202e}\\x9b'");
  });
});

describe('help', () => {
  test('vivarium alone lists the commands and says that one is missing', async () => {
    const { code, stdout, stderr } = await run([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Usage: vivarium /);
    expect(stderr).toMatch(
      /error: no command was named\nnext: Choose one of the commands above.\n$/,
    );
  });

  test('--help and --version end with 0 and write to stdout', async () => {
    for (const words of [
      ['--help'],
      ['fix', '--help'],
      ['help', 'fix'],
      ['images', 'list', '-h'],
    ]) {
      const { code, stdout, stderr } = await run(words);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: vivarium /);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('it loads nothing of the app', async () => {
    const hook = `
      import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
    const loaded = await runCliProcess(['--help'], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    for (const part of ['zod', 'better-sqlite3', 'dockerode', 'src-main/core/']) {
      expect(loaded.stderr).not.toContain(part);
    }
    expect(loaded.stderr).toContain('src-main/doors/cli/program.ts');
  });
});

test('a reader that goes away is no crash', async () => {
  const { child, ended } = startCli(['fix', '--help']);
  child.stdout.destroy();
  child.stdin.end();
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  const failing = startCli(['fix', '--bogus']);
  failing.child.stderr.destroy();
  expect(await failing.ended).toMatchObject({ code: 2, signal: null });
});

test('the data folder', () => {
  expect(vivariumHome({ VIVARIUM_HOME: '/data/v', XDG_DATA_HOME: '/x' })).toBe('/data/v');
  expect(vivariumHome({ XDG_DATA_HOME: '/x' })).toBe('/x/vivarium');
  const fallback = vivariumHome({ VIVARIUM_HOME: '', XDG_DATA_HOME: 'relative' });
  expect(fallback.endsWith('/.local/share/vivarium')).toBe(true);
});

test('a folder for the patch that cannot be written to is told before anything begins', async () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  for (const words of [
    ['fix', '--model', 'x', '--issue', 'a', '--out', path.join(file, 'below')],
    ['resume', 's1', '--out', file],
    ['export', 's1', '--out', path.join(file, 'a', 'b')],
  ]) {
    expect(await run(words)).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: `error: cannot write to ${words.at(-1)}\nnext: Choose a folder that you can write to.\n`,
    });
  }
});

test('a data folder that cannot be used ends with 3, a cause and the next step', async () => {
  const blocked = path.join(folder, 'blocked');
  writeFileSync(blocked, '');
  const { code, stdout, stderr } = await runCliProcess(['sessions', '--json'], {
    env: { VIVARIUM_HOME: blocked },
  });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'store_failed' } });
  expect(stderr).toMatch(/^error: .*\nnext: .*\n$/);
});
