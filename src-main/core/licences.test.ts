import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licencesText, packageFolder } from '../../scripts/packaging/licences-plugin.ts';
import { allLicences, licencesOf } from './licences.ts';

describe('licences', () => {
  let root: string;
  const put = (file: string, content: unknown): void => {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const pack = (name: string, licence: object, dependencies = {}): void =>
    put(`node_modules/${name}/package.json`, {
      ...{ name: name.split('node_modules/').at(-1), version: '1.0.0', dependencies },
      ...licence,
    });
  beforeAll(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'vivarium-licences-'));
    put('package.json', { dependencies: { run: '1' }, devDependencies: { build: '1' } });
    pack('run', { license: 'MIT' }, { '@a/deep': '1', gone: '1' });
    pack('run/node_modules/@a/deep', { licenses: [{ type: 'BSD' }, 'ISC'] }, { run: '1' });
    pack('build', { license: 'Apache-2.0' });
    pack('page', {});
    put('node_modules/run/LICENSE', 'words of run\n');
    put('node_modules/run/NOTICE.md', 'and a notice\n');
    put('node_modules/run/license-checker.js', 'no');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('are those of all that runs, with what the pages are made of, and of nothing else', async () => {
    const found = await licencesOf(root, { folders: [path.join(root, 'node_modules', 'page')] });
    expect(found).toEqual([
      { name: '@a/deep', version: '1.0.0', licence: 'BSD, ISC', text: '' },
      { name: 'page', version: '1.0.0', licence: 'not stated', text: '' },
      { name: 'run', version: '1.0.0', licence: 'MIT', text: 'words of run\n\nand a notice' },
    ]);
    const text = licencesText(found);
    expect(text).toContain('@a/deep 1.0.0 (BSD, ISC)\npage 1.0.0 (not stated)\nrun 1.0.0 (MIT)\n');
    expect(text).toContain('run 1.0.0 (MIT)\n\nwords of run\n');
  });

  it('are what the build listed, where it did', async () => {
    expect((await allLicences(root, ['page'])).map(({ name }) => name)).toContain('page');
    put('out/licences.json', '[]');
    expect(await allLicences(root, ['page'])).toEqual([]);
  });

  it.each([
    ['/x/node_modules/react/index.js', '/x/node_modules/react'],
    ['\0/x/node_modules/@a/b/c.js?commonjs-proxy', '/x/node_modules/@a/b'],
    ['/x/node_modules/a/node_modules/b/c.js', '/x/node_modules/a/node_modules/b'],
    [String.raw`C:\x\node_modules\a\b.js`, 'C:/x/node_modules/a'],
    ['/x/src-renderer/main.tsx', null],
    ['\0rolldown/runtime.js', null],
  ])('the package of a module: %s', (id, folder) => {
    expect(packageFolder(id)).toBe(folder);
  });
});
