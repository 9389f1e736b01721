import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUSYBOX_IMAGE } from '../../test/support/workspaces.ts';
import type { CheckRow } from '../contract/index.ts';
import { listOwned } from '../workspaces/index.ts';
import { checkRows } from './check-fix.ts';
import { BASE_IMAGE } from './choose-image.ts';
import { Environment } from './environment.ts';
import { repositoryAt } from './handlers/testing/repository.ts';

const signal = new AbortController().signal;

test('a verify command whose program is not in the image is told before the start', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-check-'));
  const environment = new Environment({ home, env: process.env });
  onTestFinished(async () => {
    await environment.close();
    rmSync(home, { recursive: true, force: true });
  });
  const repository = repositoryAt(path.join(home, 'repository'), { 'a.py': '' });
  const verifyRow = async (verify: string, image?: string): Promise<CheckRow | undefined> => {
    const rows = await checkRows(environment, { repository, verify, image }, signal);
    return rows.find(({ name }) => name === 'verify');
  };
  const ok = (found: string) => ({ name: 'verify', state: 'ok', found, remedy: null });
  const lacking = (image: string, program: string) => ({
    ...{ name: 'verify', state: 'warning', found: `the image ${image} has no program ${program}` },
    remedy:
      'Choose an image that has it, or build one with `vivarium images build --package NAME --tag TAG`.',
  });
  expect(await verifyRow('python3 -m pytest -q')).toEqual(ok('python3 -m pytest -q'));
  expect(await verifyRow('CI=1 cargo test')).toEqual(lacking(BASE_IMAGE, 'cargo'));
  expect(await verifyRow('./run-tests')).toEqual(ok('./run-tests'));
  expect(await verifyRow('python3 -m pytest', BUSYBOX_IMAGE)).toEqual(
    lacking(BUSYBOX_IMAGE, 'python3'),
  );
  expect(await verifyRow('grep x a', BUSYBOX_IMAGE)).toEqual(ok('grep x a'));
  expect(await verifyRow('cargo test', 'no-such:1')).toEqual(ok('cargo test'));
  const engine = await environment.engine();
  expect(await listOwned(engine, home)).toEqual({ containers: [], volumes: [] });
});
