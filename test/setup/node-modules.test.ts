import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../scripts/setup/files.mjs';
import { whyInstall } from '../../scripts/setup/node-modules.mjs';
import { outerEnvironment } from '../../scripts/setup/run.mjs';

const LOCK = JSON.stringify({
  packages: {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/a/node_modules/b': { version: '1.2.3' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  },
});

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'vivarium-modules-'));
  write('package-lock.json', LOCK);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function installAll(lock = LOCK): void {
  write('node_modules/zod/package.json', '{"name":"zod","version": "4.0.0"}');
  write('node_modules/a/node_modules/b/package.json', '{"version":"1.2.3"}');
  write(
    'node_modules/node/.vivarium-installed',
    `${sha256(lock)} ${process.platform}-${process.arch}\n`,
  );
}

describe('whyInstall', () => {
  it('says nothing when all is as the lock file says', () => {
    installAll();
    expect(whyInstall(root)).toBeUndefined();
  });

  it('finds a fresh clone', () => {
    expect(whyInstall(root)).toBe('nothing is installed');
  });

  it('finds a half-written node_modules by its missing stamp', () => {
    installAll();
    rmSync(path.join(root, 'node_modules/node'), { recursive: true });
    expect(whyInstall(root)).toBe('an earlier install did not finish');
  });

  it('finds that the lock file changed', () => {
    installAll(LOCK.replace('4.0.0', '3.9.9'));
    expect(whyInstall(root)).toBe('the lock file changed');
  });

  it.each(['node_modules/zod', 'node_modules/a/node_modules/b'])(
    'finds that %s is gone',
    (name) => {
      installAll();
      rmSync(path.join(root, name), { recursive: true });
      expect(whyInstall(root)).toBe(`${name} is damaged`);
    },
  );

  it('finds a package of another version and an empty manifest', () => {
    installAll();
    write('node_modules/zod/package.json', '{"version":"4.0.1"}');
    expect(whyInstall(root)).toBe('node_modules/zod is damaged');
    write('node_modules/zod/package.json', '');
    expect(whyInstall(root)).toBe('node_modules/zod is damaged');
  });
});

describe('outerEnvironment', () => {
  it('keeps npm off the Node that it replaces', () => {
    const env = outerEnvironment({
      PATH: `${root}/node_modules/.bin:/usr/bin:/x/node_modules/.bin`,
    });
    expect(env['PATH']).toBe('/usr/bin');
  });
});
