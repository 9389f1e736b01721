import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectImage } from '../../scripts/images/docker.mjs';
import { buildImage, ensureImage, readRecipes } from '../../scripts/images.mjs';
import { whyInstall } from '../../scripts/setup/node-modules.mjs';
import { run as runProgram } from '../../scripts/setup/run.mjs';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const TAGS = ['vivarium-busybox:setup-test', 'vivarium-base:setup-test'];

afterAll(() => runProgram('docker', ['image', 'rm', '--force', ...TAGS]));

describe('bootstrap', () => {
  it('changes nothing and takes under 3 s when all is there', async () => {
    const bootstrap = path.join(ROOT, 'scripts', 'bootstrap.mjs');
    // Installing now would pull the ground from under the tests that run.
    expect(whyInstall(ROOT)).toBeUndefined();
    await run(process.execPath, [bootstrap, '--for', 'test']);
    const startedAt = performance.now();
    const { stderr } = await run(process.execPath, [bootstrap, '--for', 'test']);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(stderr).toContain('npm packages: as locked, Node v24');
    expect(stderr).toContain('system packages: present');
    expect(stderr).toContain('Docker daemon: running');
    expect(stderr.match(/image vivarium-\w+:latest: present/g)).toHaveLength(3);
    expect(stderr).toMatch(/test fixtures: \d+ present/);
  });

  it('refuses a purpose that it does not know', async () => {
    const bootstrap = path.join(ROOT, 'scripts', 'bootstrap.mjs');
    const failure = await run(process.execPath, [bootstrap, '--for', 'fun']).catch(
      (e: unknown) => e,
    );
    expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining('usage:') as string });
  });
});

async function inContainer(image: string, script: string): Promise<string> {
  const { stdout } = await run('docker', [
    ...['run', '--rm', '--network', 'none', '--user', '1000:1000', image],
    ...['sh', '-c', script],
  ]);
  return stdout.trim();
}

describe('images', () => {
  it('the base image has what a Python repository needs and an account for the workspace', async () => {
    const { tag, built } = await ensureImage('base');
    expect(built).toBe(false);
    expect(await inContainer(tag, 'whoami; cd; pwd')).toBe('agent\n/home/agent');
    const names = 'bash git python3 pytest-3';
    expect(await inContainer(tag, `for name in ${names}; do command -v $name; done`)).toBe(
      names.replace(/\S+/g, '/usr/bin/$&').replaceAll(' ', '\n'),
    );
    expect(await inContainer(tag, 'test -s /etc/ssl/certs/ca-certificates.crt && echo yes')).toBe(
      'yes',
    );
    expect(await inContainer(tag, 'ls /usr/share/man /var/lib/apt/lists /tmp')).not.toMatch(/\.gz/);
  });

  it('the test image adds the packages that the real bugs need', async () => {
    const { tag } = await ensureImage('test');
    const imports = 'python3 -c "import pytest, freezegun, simplejson, pytz, packaging"';
    expect(await inContainer(tag, imports)).toBe('');
  });

  it('is made anew when its recipe changed', async () => {
    const recipes = readRecipes();
    recipes.images.busybox.tag = TAGS[0] ?? '';
    expect(await ensureImage('busybox', { recipes })).toEqual({ tag: TAGS[0], built: true });
    expect(await ensureImage('busybox', { recipes })).toEqual({ tag: TAGS[0], built: false });
    recipes.user.name = 'keeper';
    expect(await ensureImage('busybox', { recipes })).toEqual({ tag: TAGS[0], built: true });
    expect(await inContainer(TAGS[0] ?? '', 'whoami; echo a | sed s/a/b/')).toBe('keeper\nb');
  });

  it('takes extra packages under a tag of their own, without network in the container', async () => {
    const tag = TAGS[1] ?? '';
    const before = await inspectImage('vivarium-base:latest');
    await buildImage('base', { extraPackages: ['make'], tag });
    expect(await inContainer(tag, 'make --version | head -n 1')).toMatch(/^GNU Make/);
    expect(await inspectImage('vivarium-base:latest')).toEqual(before);
  });

  it('names a package that does not exist and leaves nothing behind', async () => {
    const options = { extraPackages: ['no-such-package-here'], tag: 'vivarium-base:setup-none' };
    await expect(buildImage('base', options)).rejects.toThrow('no-such-package-here');
    expect(await inspectImage('vivarium-base:setup-none')).toBeUndefined();
    const label = ['ps', '-aq', '--filter', 'label=vivarium.image.build'];
    expect((await run('docker', label)).stdout).toBe('');
  });
});
