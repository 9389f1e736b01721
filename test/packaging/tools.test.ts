/** What has to lie in electron-builder's cache before packages can be made without network. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  builderCache,
  targetsOf,
  TARGETS,
  toolsFor,
  TOOLSETS,
  whyNoTools,
} from '../../scripts/packaging/tools.mjs';

const MODULES = path.resolve(import.meta.dirname, '..', '..', 'node_modules');
const builder = [
  ...['linux', 'windows', '7zip'].map((name) => `app-builder-lib/out/toolsets/${name}.js`),
  'dmg-builder/out/dmgUtil.js',
]
  .map((file) => readFileSync(path.join(MODULES, file), 'utf8'))
  .join('\n');

describe('tools of packages', () => {
  let cache: string;
  beforeAll(() => {
    cache = mkdtempSync(path.join(os.tmpdir(), 'vivarium-tools-'));
  });
  afterAll(() => rmSync(cache, { recursive: true, force: true }));

  it.each(['linux', 'win32', 'darwin'] as const)(
    'are those electron-builder asks for, %s',
    (on) => {
      for (const { archive, override } of toolsFor([...TARGETS[on]], on, 'x64')) {
        const [release = '', file = ''] = archive.split('/');
        const [name, version] = release.split('@');
        const isChosen = version === TOOLSETS.appimage || version === TOOLSETS.nsis;
        expect(builder).toContain(isChosen ? `\`${name}@\${` : release);
        if (isChosen) expect(builder).toMatch(new RegExp(`"${version}": \\{[^}]*"${file}"`));
        else if (!file.startsWith('dmg')) expect(builder).toContain(`"${file}"`);
        else expect(builder).toContain(file.replace('x86_64', '${arch}'));
        expect(builder).toContain(override);
      }
    },
  );

  it('are none for the folder alone, and else those of what is made', () => {
    expect(targetsOf(['--dir'], 'linux')).toEqual([]);
    expect(targetsOf([], 'linux')).toEqual(['AppImage', 'deb']);
    expect(targetsOf(['--linux', 'deb'], 'linux')).toEqual(['deb']);
    expect(toolsFor(['nsis', 'zip'], 'win32', 'arm64').map(({ archive }) => archive)).toEqual([
      'nsis@1.2.1/nsis-bundle-3.12.tar.gz',
      '7zip@1.0.0/7zip-win-arm64.tar.gz',
    ]);
  });

  it('that are missing are named with where they belong, until they are there', () => {
    const asked = { words: ['--linux', 'deb'], platform: 'linux', arch: 'x64' };
    const env = { ELECTRON_BUILDER_CACHE: cache };
    const missing = whyNoTools({ ...asked, env });
    expect(missing?.cause).toBe('deb need tools that are not on this machine');
    expect(missing?.next.split('\n').slice(0, 3)).toEqual([
      `Put these files of the releases of electron-builder-binaries into ${cache}:`,
      '  fpm@2.1.4/fpm-1.17.0-ruby-3.4.3-linux-amd64.7z  (or name yours by CUSTOM_FPM_PATH)',
      '  7zip@1.0.0/7zip-linux-x64.tar.gz  (or name yours by ELECTRON_BUILDER_7ZIP_PATH)',
    ]);
    for (const { archive } of toolsFor(['deb'], 'linux', 'x64')) {
      mkdirSync(path.join(cache, path.dirname(archive)), { recursive: true });
      writeFileSync(path.join(cache, archive), '');
    }
    expect(whyNoTools({ ...asked, env })).toBe(null);
    expect(whyNoTools({ ...asked, words: ['--dir'], env: { HOME: cache } })).toBe(null);
  });

  it.each([
    [{ ELECTRON_BUILDER_CACHE: '/c' }, 'linux', '/c'],
    [{ HOME: '/h' }, 'linux', '/h/.cache/electron-builder'],
    [{ HOME: '/h', XDG_CACHE_HOME: '/x' }, 'linux', '/x/electron-builder'],
    [{ HOME: '/h' }, 'darwin', '/h/Library/Caches/electron-builder'],
  ])('lie in %j on %s', (env, platform, folder) => {
    expect(builderCache(env, platform)).toBe(folder);
  });
});
