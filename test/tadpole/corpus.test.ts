import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { editOf } from '../../scripts/tadpole/edit.ts';
import { readAll, type BuggyRepository } from '../../scripts/tadpole/repositories.ts';
import { makeBugs, runPython, runScript, testFolder } from './scripts.ts';

const read = (file: string) => readAll<BuggyRepository>(file);

test('all bodies of a kind do the same, and several hundred kinds have several hundred bodies', () => {
  const [verdict, counts = ''] = runScript('kinds.py', []).split('\n');
  expect(verdict).toBe('sound');
  const [kinds = 0, bodies = 0, heldOut = 0] = (counts.match(/\d+/gu) ?? []).map(Number);
  expect(kinds).toBeGreaterThan(400);
  expect(bodies).toBeGreaterThan(2 * kinds);
  expect(heldOut).toBeGreaterThanOrEqual(30);
}, 60_000);

test('kinds put together from parts are sound, and one that does what another does is found out', () => {
  expect(runScript('composed.py', ['300']).split('\n').slice(0, 2)).toEqual([
    'sound',
    expect.stringMatching(/^300 kinds put together, \d{3,} bodies; /u),
  ]);
  const program = `
from composed import behaviour_of, composed, does_the_same
kinds = composed(40)
shown = [behaviour_of(kind) for kind in kinds]
print(sum(does_the_same(kind, [own]) for kind, own in zip(kinds, shown)), sum(does_the_same(kinds[0], [own]) for own in shown[1:]))
`;
  expect(runPython(program)).toBe('40 0\n');
}, 60_000);

test('the same seed makes the same repositories, and each has a bug that an edit of one place undoes', async () => {
  const folder = testFolder();
  const first = makeBugs(folder, 'known', 7, 60);
  const bytes = readFileSync(first, 'utf8');
  expect(readFileSync(makeBugs(folder, 'known', 7, 60), 'utf8')).toBe(bytes);
  const tasks = await read(first);
  expect(tasks.length).toBeGreaterThan(40);
  for (const { files, module, good } of tasks) {
    const bad = files[module] ?? '';
    const edit = editOf(bad, good);
    expect(edit).not.toBeNull();
    expect(bad.split(edit?.old ?? '')).toHaveLength(2);
    expect(bad.replace(edit?.old ?? '', () => edit?.new ?? '')).toBe(good);
  }
}, 120_000);

test('held-out repositories have functions of held-out kinds only where the bug is', async () => {
  const folder = testFolder();
  const known = await read(makeBugs(folder, 'known', 8, 60));
  const heldOut = await read(makeBugs(folder, 'held-out', 8, 60));
  const kinds = new Set(known.map(({ kind }) => kind));
  expect(heldOut.filter(({ kind }) => kinds.has(kind))).toEqual([]);
}, 120_000);

test('overlap counts functions and fixes that a lesson has, under other names too', async () => {
  const folder = testFolder();
  const bugs = makeBugs(folder, 'known', 9, 12);
  const tasks = await read(bugs);
  const shown = (rename: (text: string) => string) =>
    tasks.map(({ files, module, good }) => ({
      messages: [files[module] ?? '', good].map((text) => ({
        role: 'tool',
        content: rename(text)
          .split('\n')
          .map((line, at) => `${at + 1}. ${line}`)
          .join('\n'),
      })),
    }));
  const count = (lessons: object[]): unknown => {
    const file = path.join(folder, 'lessons');
    writeFileSync(file, lessons.map((lesson) => `${JSON.stringify(lesson)}\n`).join(''));
    return JSON.parse(runScript('overlap.py', [bugs, file]));
  };
  const n = tasks.length;
  expect(count(shown((text) => text))).toEqual({
    n,
    lessons: n,
    buggy_function_as_it_stands: n,
    // A fix that only takes a line away has none.
    fix_lines_as_it_stands: tasks.filter(({ files, module, good }) => {
      const bad = new Set(files[module]?.split('\n'));
      return good.split('\n').some((line) => !bad.has(line));
    }).length,
    buggy_function_names_apart: n,
    fix_lines_names_apart: expect.any(Number),
  });
  expect(count([{ messages: [{ role: 'tool', content: 'a.py\n1. x = 1' }] }])).toMatchObject({
    buggy_function_as_it_stands: 0,
    buggy_function_names_apart: 0,
    fix_lines_as_it_stands: 0,
  });
}, 120_000);
