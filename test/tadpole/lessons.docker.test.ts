import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_IMAGE } from '../support/workspaces.ts';
import { makeBugs, runScript } from './scripts.ts';

const TAG = 'vivarium-tadpole-test:latest';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tadpole-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
  id: string;
  messages: { role: string; content: string; weight?: number }[];
}

/** Lessons of one image by their id, with all times made alike. */
function lessonsIn(image: string, bugs: string): Map<string, Row> {
  const out = path.join(folder, image.replace(/\W/gu, '-'));
  runScript('teach.ts', ['5', bugs, out], { TADPOLE_IMAGE: image });
  const text = readFileSync(out, 'utf8').replaceAll(/ in \d+\.\d\ds/gu, ' in 0.00s');
  // Written by teach.ts.
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  return new Map(rows.map((row) => [row.id, row]));
}

test('lessons of a workspace with a warm pytest are those of a plain one, time apart', () => {
  const bugs = makeBugs(folder, 'known', 11, 10);
  runScript('warm_image.sh', [TEST_IMAGE, TAG]);
  const warm = lessonsIn(TAG, bugs);
  expect(warm).toEqual(lessonsIn(TEST_IMAGE, bugs));
  expect(warm.size).toBeGreaterThanOrEqual(9);
  for (const { messages } of warm.values()) {
    const said = messages.filter(({ role }) => role === 'assistant');
    expect(said.every(({ weight }) => weight === 0 || weight === 1)).toBe(true);
    // The last sentence is true.
    const passed = messages
      .findLast(({ role }) => role === 'tool')
      ?.content.includes('Exit code: 0');
    expect(said.at(-1)?.content.startsWith('I could not')).toBe(!passed);
  }
}, 240_000);
