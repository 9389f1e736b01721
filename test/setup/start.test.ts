import { expect, it } from 'vitest';
import { howToStart } from '../../scripts/app.mjs';
import { packagedProgram } from '../../src-main/doors/cli/commands/app.ts';

const MISSING = 'there is no Electron binary here (ELECTRON_OVERRIDE_DIST_PATH names its folder)';
const SCREEN = { DISPLAY: ':0' };
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-0' };

it.each([
  ['a screen and a binary', [], SCREEN, 'linux', '/e', { kind: 'window', folder: '/e' }],
  ['Wayland', [], WAYLAND, 'linux', '/e', { kind: 'window', folder: '/e' }],
  ['a Mac', [], {}, 'darwin', '/e', { kind: 'window', folder: '/e' }],
  ['no binary', [], SCREEN, 'linux', null, { kind: 'browser', why: MISSING, open: true }],
  ['neither', [], {}, 'linux', null, { kind: 'browser', why: MISSING, open: false }],
  [
    ...(['no screen', [], { DISPLAY: '' }, 'linux', '/e'] as const),
    { kind: 'browser', why: 'there is no screen here', open: false },
  ],
  [
    ...(['words for the browser', ['--port', '1'], SCREEN, 'linux', '/e'] as const),
    { kind: 'browser', why: null, open: true },
  ],
])('how the app is shown: %s', (_what, words, env, platform, folder, wanted) => {
  expect(howToStart({ words: [...words], env, platform, folder })).toEqual(wanted);
});

it.each([
  ['/opt/Vivarium/resources/app.asar.unpacked', 'linux', '/opt/Vivarium/vivarium-app'],
  [
    '/A/Vivarium.app/Contents/Resources/app.asar.unpacked',
    'darwin',
    '/A/Vivarium.app/Contents/MacOS/Vivarium',
  ],
  ['/home/me/vivarium', 'linux', null],
  ['/opt/Vivarium/resources/app.asar.unpacked', 'aix', null],
] as const)('the program of a package: %s on %s', (folder, platform, program) => {
  expect(packagedProgram(folder, platform)).toBe(program);
});
