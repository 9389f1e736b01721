import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { inspectImage } from '../../../scripts/images/docker.mjs';
import { run } from '../../../scripts/setup/run.mjs';
import { Environment } from '../environment.ts';
import { createHandlers } from './index.ts';

const TAG = 'vivarium-base:cancel-test';

function open() {
  const home = mkdtempSync(path.join(tmpdir(), 'vivarium-build-'));
  const environment = new Environment({ home, env: process.env });
  onTestFinished(async () => {
    await environment.close();
    await run('docker', ['image', 'rm', '--force', TAG]);
    rmSync(home, { recursive: true, force: true });
  });
  return createHandlers(environment);
}

async function leftBehind() {
  const format = ['--format', '{{.ID}}'];
  const label = `label=vivarium.image.build=${process.pid}`;
  const containers = await run('docker', ['ps', '-aq', '--filter', label, ...format]);
  const processes = await run('pgrep', ['-f', `vivarium-image-${process.pid}-`]);
  // 0: some are there, 1: none; anything else means that nobody looked.
  expect(processes.code).toBeLessThanOrEqual(1);
  return {
    image: await inspectImage(TAG),
    folders: readdirSync('/var/tmp').filter((name) =>
      name.startsWith(`vivarium-image-${process.pid}-`),
    ),
    containers: containers.stdout.trim(),
    processes: processes.stdout.trim(),
  };
}

const NOTHING = { image: undefined, folders: [], containers: '', processes: '' };

test.each([
  { what: 'of a base image', input: { tag: TAG }, at: /retrieving|extracting/ },
  { what: 'with more packages', input: { tag: TAG, packages: ['hello'] }, at: /downloading/ },
])('a build $what is cancelled and leaves nothing behind', async ({ input, at }) => {
  const handlers = open();
  const context = { signal: new AbortController().signal };
  const lines = handlers['environment/buildImage'](input, context);
  for (;;) {
    const step = await lines.next();
    if (step.done === true) throw new Error('it was built');
    if (at.test(step.value.line)) break;
  }
  // Whoever watched has gone; the build has not.
  await lines.return({ reference: '' });
  expect(await handlers['jobs/list']({}, context)).toMatchObject([
    { name: 'environment/buildImage', subject: TAG, input },
  ]);
  const cancel = { name: 'environment/buildImage', subject: TAG } as const;
  expect(await handlers['jobs/cancel'](cancel, context)).toEqual({ cancelled: true });
  expect(await handlers['jobs/list']({}, context)).toEqual([]);
  expect(await leftBehind()).toEqual(NOTHING);
});
