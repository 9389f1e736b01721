import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TEST_IMAGE } from '../support/workspaces.ts';
import { makeBugs, runScript, testFolder } from './scripts.ts';

const TAG = 'vivarium-tadpole-test:latest';
interface Row {
  id: string;
  messages: { role: string; content: string; weight?: number }[];
}

/** Lessons of one image by their id, with all times and addresses in memory made alike. */
function lessonsIn(folder: string, image: string, bugs: string): Map<string, Row> {
  const out = path.join(folder, image.replace(/\W/gu, '-'));
  runScript('teach.ts', ['5', bugs, out], { TADPOLE_IMAGE: image });
  const text = readFileSync(out, 'utf8').replaceAll(/ in \d+\.\d\ds| at 0x[\da-f]+/gu, '');
  // Written by teach.ts.
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  return new Map(rows.map((row) => [row.id, row]));
}

test('lessons of a workspace with a warm pytest are those of a plain one, times and addresses apart', () => {
  const folder = testFolder();
  const bugs = makeBugs(folder, 'known', 11, 40);
  runScript('warm_image.sh', [TEST_IMAGE, TAG]);
  const warm = lessonsIn(folder, TAG, bugs);
  expect(warm).toEqual(lessonsIn(folder, TEST_IMAGE, bugs));
  expect(warm.size).toBeGreaterThanOrEqual(36);
  const endings = Map.groupBy(warm.values(), ({ messages }) => messages.at(-1)?.role);
  expect(new Set(endings.keys())).toEqual(new Set(['assistant', 'tool']));
  // Most end with their edit.
  for (const { messages } of endings.get('tool') ?? []) {
    expect(messages.at(-1)?.content).toMatch(/^Edited \S+ \(1 replacement\)\.$/u);
  }
  expect(endings.get('tool')?.length).toBeGreaterThan(warm.size / 2);
  for (const { messages } of endings.get('assistant') ?? []) {
    const said = messages.filter(({ role }) => role === 'assistant');
    expect(said.every(({ weight }) => weight === 0 || weight === 1)).toBe(true);
    // The last sentence is true.
    const passed = messages
      .findLast(({ role }) => role === 'tool')
      ?.content.includes('Exit code: 0');
    expect(said.at(-1)?.content.startsWith('I could not')).toBe(!passed);
  }
}, 240_000);
