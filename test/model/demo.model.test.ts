import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../src-main/core/index.ts';

const resource = (path: string): string =>
  fileURLToPath(new URL(`../../resources/${path}`, import.meta.url));
const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

let folder: string;
let repository: string;
let core: Core;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-demo-'));
  repository = join(folder, 'ticket-shop');
  cpSync(resource('demo/ticket-shop'), repository, { recursive: true });
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'Start'],
  ]) {
    execFileSync('git', ['-C', repository, ...who, ...words], { stdio: 'pipe' });
  }
  core = createCore({ home: join(folder, 'home'), env: process.env });
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the demonstration', () => {
  // Measured: 100 of 100 first attempts, with as many seeds.
  it('is fixed by tadpole within four attempts, with the one line that was wrong', async () => {
    const result = await core.fix({
      repository,
      issue: readFileSync(resource('demo/ticket-shop.issue.txt'), 'utf8'),
      model: `gguf:${resource('models/tadpole.gguf')}`,
      scaffold: 'tadpole',
      image: IMAGE,
      verify: 'python3 -m pytest -q',
      attempts: 4,
    });
    expect(result.outcome).toBe('verified');
    expect(result.verification?.fixed).toEqual(['test_shop.py::test_is_adult']);
    expect(result.patch).toMatchObject({ insertions: 1, deletions: 1, flags: [] });
    const patch = Buffer.from(await core.patch(result.sessionId)).toString();
    expect(patch).toContain('-    return age > 18\n+    return age >= 18\n');
  });
});
