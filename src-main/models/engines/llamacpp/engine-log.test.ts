import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngineLog } from './engine-log.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vivarium-log-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function closed(log: ReturnType<typeof openEngineLog>): Promise<string> {
  log.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return readFileSync(log.file, 'utf8');
}

describe('the log of an engine', () => {
  it('tells the first error, or else the last line', async () => {
    const log = openEngineLog(home, 'x');
    expect(log.cause()).toBe('');
    log.add('info: loading');
    log.add('');
    expect(log.cause()).toBe('info: loading');
    log.add('ggml.c:12: GGML_ASSERT(x) failed');
    log.add('error: something that follows from it');
    log.add('info: bye');
    expect(log.cause()).toBe('ggml.c:12: GGML_ASSERT(x) failed');
    expect((await closed(log)).split('\n')).toHaveLength(6);
  });

  it('is bounded', async () => {
    const log = openEngineLog(home, 'x');
    const line = 'y'.repeat(10_000);
    for (let count = 0; count < 2_000; count += 1) log.add(line);
    const text = await closed(log);
    expect(text.length).toBeLessThan(4.1 * 1024 * 1024);
    expect(text.endsWith('The log is full; later lines are left out.\n')).toBe(true);
  });

  it('removes the oldest of many', () => {
    const folder = join(home, 'logs');
    mkdirSync(folder);
    for (let n = 10; n < 40; n += 1) writeFileSync(join(folder, `llamacpp-${n}.log`), '');
    writeFileSync(join(folder, 'other.log'), '');
    const log = openEngineLog(home, '99');
    log.close();
    const names = readdirSync(folder);
    expect(names).not.toContain('llamacpp-20.log');
    expect(names).toContain('llamacpp-21.log');
    expect(names).toContain('other.log');
  });
});
