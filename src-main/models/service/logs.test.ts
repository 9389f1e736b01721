import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLog } from './logs.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-logs-'));
  file = path.join(folder, 'a.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const once = { follow: false, everyMs: 5, signal: new AbortController().signal };

async function all(lines: AsyncIterable<string[]>): Promise<string[]> {
  const found: string[] = [];
  for await (const more of lines) found.push(...more);
  return found;
}

test('the last lines, whole ones only', async () => {
  writeFileSync(file, 'one\ntwo\nthree\nhal');
  expect(await all(readLog(async () => file, { ...once, lines: 2 }))).toEqual(['two', 'three']);
});

test('no log is no lines', async () => {
  expect(await all(readLog(async () => null, { ...once, lines: 2 }))).toEqual([]);
  const gone = path.join(folder, 'gone.log');
  expect(await all(readLog(async () => gone, { ...once, lines: 2 }))).toEqual([]);
});

test('following goes on with what is written, across a cut character and a new file', async () => {
  writeFileSync(file, 'one\n');
  const next = path.join(folder, 'b.log');
  let current = file;
  const stop = new AbortController();
  const found: string[] = [];
  const steps: (() => void)[] = [
    () => appendFileSync(file, Buffer.from('gr\u00fcn', 'utf8').subarray(0, 3)),
    () => appendFileSync(file, Buffer.concat([Buffer.from([0xbc]), Buffer.from('n\n')])),
  ];
  const options = { lines: 10, follow: true, everyMs: 5, signal: stop.signal };
  for await (const more of readLog(async () => current, options)) {
    found.push(...more);
    if (found.at(-1) === 'one') for (const step of steps) step();
    if (found.at(-1) === 'grün') {
      writeFileSync(next, 'new start\n');
      current = next;
    }
    if (found.at(-1) === 'new start') stop.abort();
  }
  expect(found).toEqual(['one', 'grün', 'new start']);
});
