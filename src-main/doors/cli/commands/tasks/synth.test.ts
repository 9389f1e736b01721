import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCliProcess } from '../../testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-synth-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const synth = (...words: string[]) =>
  runCliProcess(['tasks', 'synth', ...words], {
    env: { VIVARIUM_HOME: path.join(folder, 'home') },
    cwd: folder,
  });

test.each([
  [[], 'no folder for the tasks is named', '--out'],
  [['--out', 'o', '--generators', 'mutate,guess'], 'there is no generator "guess"', 'rewrite'],
  [['--out', 'o', '--generators', 'rewrite'], 'the generator rewrite needs a model', '--model'],
  [['--out', 'o', '--generators', 'mutate,featadd'], 'the generator featadd needs', '--model'],
  [['--out', 'o', '--quota', 'class=1.5'], 'It must be shares above 0, to 1', '--help'],
  [['--out', 'o', '--quota', 'colour=0.5'], 'It must be shares above 0, to 1', '--help'],
  [['--out', 'o', '--quota', 'class'], 'like class=0.5,files=0.8,area=0.2', '--help'],
  [['--out', 'o', '--least-complexity', '0'], 'a whole number of at least 1', '--help'],
])('%j is wrong usage, told with what to do', async (words, message, next) => {
  const { code, stderr } = await synth(...words);
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  expect(stderr).toMatch(new RegExp(`next: .*${next}`));
});

test('the help names all generators and options', async () => {
  const { code, stdout } = await synth('--help');
  expect(code).toBe(0);
  const words = ['mutate', 'rewrite', 'featadd', 'history', '--model', '--scaffold', '--quota'];
  for (const word of [...words, '--least-complexity', '--hide-tests', '--reruns']) {
    expect(stdout).toContain(word);
  }
});
