/** The command as `npm run build` makes it, which is also the one in a package. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const BUILT = path.join(ROOT, 'out', 'main', 'cli.js');
const run = promisify(execFile);

describe.runIf(existsSync(BUILT))('the built command', () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-built-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const vivarium = async (...words: string[]): Promise<string> => {
    const env = { ...process.env, VIVARIUM_HOME: home };
    return (await run(process.execPath, [BUILT, ...words], { env, cwd: os.tmpdir() })).stdout;
  };

  it('shows its help', async () => {
    expect(await vivarium('--help')).toContain('Usage: vivarium [options] [command]');
  });
  it('looks at the machine', async () => {
    expect(await vivarium('doctor')).toMatch(/ok +engine llamacpp/);
  });
  it('starts a server of llama.cpp in the background, and ends it', async () => {
    await vivarium('models', 'add', path.join(ROOT, 'resources', 'models', 'tadpole.gguf'));
    expect(await vivarium('models', 'start', 'tadpole')).toContain('http://127.0.0.1:');
    expect(await vivarium('models', 'stop', 'tadpole')).toContain('tadpole is stopped');
  });
});
