import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { doctorRowSchema, sessionResultSchema } from '../../src-main/contract/index.ts';
import {
  COMMAND,
  DONE,
  FIX,
  fixWords,
  git,
  IMAGE,
  makePlace,
  READ,
  removePlace,
  run,
  script,
  sessionsOf,
  type Place,
} from './command.ts';

const execute = promisify(execFile);

let place: Place;
let id: string;
let model: string;

beforeAll(async () => {
  place = await makePlace();
  model = await script(place, READ, FIX, DONE);
  const { code, stderr } = await run(
    place,
    ...fixWords(place, model, '--verify', 'python3 -m pytest'),
  );
  if (code !== 0) throw new Error(stderr);
  id = (await sessionsOf(place))[0]?.sessionId ?? '';
});

afterAll(() => removePlace(place));

describe('what is on record', () => {
  test('sessions: a table and JSON', async () => {
    const { stdout } = await run(place, 'sessions');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'STATE', 'AGE', 'MODEL', 'REPOSITORY', 'STEPS', 'CHANGE', 'VERIFIED', 'TITLE'],
      [
        ...[id, 'verified', expect.stringMatching(/^\d+ (s|min)$/), 'scripted', 'shop', '3'],
        ...['+1 -1', 'yes', 'The total is one too high.'],
      ],
      [''],
    ]);
    expect(await sessionsOf(place)).toMatchObject([{ sessionId: id, state: 'verified', steps: 3 }]);
  });

  test('show: by a part of the id; result, steps, patch, JSON', async () => {
    const show = async (...words: string[]) => {
      const ended = await run(place, 'show', id.slice(0, 6), ...words);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      return ended.stdout;
    };
    expect((await show()).split('\n')[0]).toBe('Fixed and verified.');
    expect(sessionResultSchema.parse(JSON.parse(await show('--json'))).sessionId).toBe(id);
    expect(await show('--steps')).toMatch(
      /Step 2 {2}.*\n {2}says\n {4}I take the 1 away\.\n {2}Edit \(\d+ ms\)\n {4}file_path: total\.py\n/,
    );
    const { patch } = sessionResultSchema.parse(JSON.parse(await show('--json')));
    expect(await show('--patch')).toBe(await readFile(patch?.file ?? '', 'utf8'));
  });

  test('show --patch on a terminal: with what is hidden made visible', async () => {
    const quoted = [process.execPath, COMMAND, 'show', id, '--patch'].map((word) => `'${word}'`);
    const { stdout } = await execute('script', ['-qec', quoted.join(' '), '/dev/null'], {
      env: { ...process.env, VIVARIUM_HOME: place.home },
    });
    expect(stdout.replaceAll('\r\n', '\n')).toContain('+    return sum(items)\n');
  });

  test('export: each format, paths on stdout', async () => {
    for (const [format, ending] of [
      ['patch', '.patch'],
      ['mbox', '.mbox'],
      ['leaf', '.json'],
    ] as const) {
      const out = path.join(place.folder, format);
      const { code, stdout } = await run(place, 'export', id, '--out', out, '--format', format);
      expect(code).toBe(0);
      const files = stdout.trimEnd().split('\n');
      expect(files.some((file) => file.endsWith(ending))).toBe(true);
      for (const file of files) {
        expect(file.startsWith(`${out}${path.sep}`)).toBe(true);
        expect((await readFile(file)).length).toBeGreaterThan(0);
      }
    }
  });

  test('a session that is not there ends with 2', async () => {
    for (const words of [['show'], ['export', '--out', 'd'], ['resume']]) {
      const { code, stderr } = await run(place, ...words, 'zzz');
      expect([code, stderr]).toEqual([
        2,
        'error: there is no session "zzz"\nnext: See `vivarium sessions` for the ids.\n',
      ]);
    }
  });
});

describe('this machine', () => {
  test('doctor: rows of the contract; 0 when what is required is there', async () => {
    const { code, stdout } = await run(place, 'doctor', '--json');
    const rows = z.array(doctorRowSchema).parse(JSON.parse(stdout));
    expect([code, rows.filter((row) => row.required && row.state === 'missing')]).toEqual([0, []]);
    expect((await run(place, 'doctor')).stdout).toMatch(/^STATE +WHAT +FOUND\n/);
  });

  test('W06: doctor without Docker ends with 3 and says what to do', async () => {
    const nowhere = `unix://${path.join(place.folder, 'no.sock')}`;
    const { stdout } = await execute(process.execPath, [COMMAND, 'doctor', '--json'], {
      env: { ...process.env, VIVARIUM_HOME: place.home, DOCKER_HOST: nowhere },
    }).catch((thrown: { code: number; stdout: string }) => {
      expect(thrown.code).toBe(3);
      return thrown;
    });
    const rows = z.array(doctorRowSchema).parse(JSON.parse(stdout));
    const docker = rows.find(({ name }) => name === 'docker');
    expect(docker).toMatchObject({ required: true, state: 'missing', remedy: expect.any(String) });
  });

  test('clean, and images list', async () => {
    expect(await run(place, 'clean')).toMatchObject({ code: 0 });
    const { stdout } = await run(place, 'images', 'list', '--json');
    const references = (JSON.parse(stdout) as { reference: string }[]).map((one) => one.reference);
    expect(references).toContain(IMAGE);
  });

  test('images import: a file that is no archive', async () => {
    const file = path.join(place.folder, 'no-archive.tar');
    await writeFile(file, 'this is no archive');
    for (const given of [file, path.join(place.folder, 'missing.tar')]) {
      const { code, stderr } = await run(place, 'images', 'import', given);
      expect([2, 3]).toContain(code);
      expect(stderr).toMatch(/^error: .+\nnext: .+\n$/);
    }
  });
});

describe('bad input: a cause on one line, the next step, the right exit code', () => {
  test('repositories that cannot be fixed', async () => {
    const made = async (name: string, ...words: string[]) => {
      const folder = path.join(place.folder, name);
      await mkdir(folder);
      if (words.length > 0) await git(folder, ...words);
      return folder;
    };
    const repositories = [
      path.join(place.folder, 'missing'),
      path.join(place.repository, 'total.py'),
      await made('plain'),
      await made('unborn', 'init', '-q'),
      await made('bare', 'init', '-q', '--bare'),
    ];
    for (const repository of repositories) {
      const ended = await run(
        { ...place, repository },
        ...fixWords({ ...place, repository }, model),
      );
      expect([repository, ended.code, ended.stdout]).toEqual([repository, 2, '']);
      expect(ended.stderr).toMatch(/^error: .+\nnext: .+\n$/);
    }
  });

  test.each([
    ['a script that is not there', 'script:missing.jsonl', [], 2],
    ['a model of no known kind', 'frog', [], 2],
    ['a GGUF that is not there', 'gguf:missing.gguf', [], 2],
    ['an endpoint where nobody listens', 'http://127.0.0.1:9/v1#frog', [], 3],
    ['an image that is not there', '', ['--image', 'no/such-image:1'], 3],
    ['a runtime that is not there', '', ['--runtime', 'no-such-runtime'], 3],
    ['a scaffold that is not there', '', ['--scaffold', 'missing.yaml'], 2],
  ] as const)('%s', async (_title, given, more, expected) => {
    const words = fixWords(place, given === '' ? model : given, '--json', ...more);
    const { code, stdout, stderr } = await run(place, ...words);
    expect([code, stderr]).toEqual([
      expected,
      expect.stringMatching(/(^|\n)error: .+\nnext: .+\n$/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: expect.any(String), message: expect.any(String), next: expect.any(String) },
    });
    expect(stderr).not.toContain('fault of Vivarium');
  });
});
