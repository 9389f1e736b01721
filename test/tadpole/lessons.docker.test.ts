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
  messages: { role: string; content: string; weight?: number }[];
}

test('lessons of a workspace with a warm pytest are those of a plain one, time apart', () => {
  const bugs = makeBugs(folder, 'known', 11, 10);
  runScript('warm_image.sh', [TEST_IMAGE, TAG]);
  const lessonsIn = (image: string) => {
    const out = path.join(folder, image.replace(/\W/gu, '-'));
    runScript('teach.ts', ['5', bugs, out], { TADPOLE_IMAGE: image });
    return readFileSync(out, 'utf8').replaceAll(/ in \d+\.\d\ds/gu, ' in 0.00s');
  };
  const warm = lessonsIn(TAG);
  expect(warm).toBe(lessonsIn(TEST_IMAGE));
  const rows = warm
    .trim()
    .split('\n')
    // Written by teach.ts.
    .map((line) => JSON.parse(line) as Row);
  expect(rows.length).toBeGreaterThanOrEqual(8);
  for (const { messages } of rows) {
    const said = messages.filter(({ role }) => role === 'assistant');
    expect(said.every(({ weight }) => weight === 0 || weight === 1)).toBe(true);
    // The last sentence is true.
    const passed = messages
      .findLast(({ role }) => role === 'tool')
      ?.content.includes('Exit code: 0');
    expect(said.at(-1)?.content.startsWith('I could not')).toBe(!passed);
  }
});
