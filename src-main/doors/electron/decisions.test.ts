import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAfterGone } from './after-gone.ts';
import { folderInWords, newFixHash } from './folder-in-words.ts';
import { lostServers } from './lost-servers.ts';
import { menuTemplate } from './menu-template.ts';
import { createQuitGuard } from './quit-guard.ts';
import { backgroundColor } from './window-options.ts';
import { placeWindow } from './window-place.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const FIRST = { x: 0, y: 0, width: 1920, height: 1080 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };

describe('where the window opens', () => {
  it.each([
    ['first time: in the middle', undefined, { x: 320, y: 140, width: 1280, height: 800 }],
    ['where it was', { x: 100, y: 50, width: 900, height: 700 }, null],
    ['on the second screen', { x: 2000, y: 10, width: 900, height: 700 }, null],
    [
      'its screen is gone',
      { x: 5000, y: 0, width: 900, height: 700 },
      { x: 510, y: 190, width: 900, height: 700 },
    ],
    [
      'its title is above the screen',
      { x: 0, y: -200, width: 900, height: 700 },
      { x: 510, y: 190, width: 900, height: 700 },
    ],
    [
      'larger than its screen',
      { x: 0, y: 0, width: 9000, height: 9000 },
      { x: 0, y: 0, width: 1920, height: 1080 },
    ],
  ])('%s', (_name, last, wanted) => {
    expect(placeWindow(last, [FIRST, SECOND])).toEqual(wanted ?? last);
  });
});

describe('the guard before quitting', () => {
  function guard(running: number, answer: Promise<boolean>, close = Promise.resolve()) {
    const told: string[] = [];
    const beforeQuit = createQuitGuard({
      running: () => running,
      ask: () => answer,
      onKeep: () => told.push('keep'),
      close: () => close.finally(() => told.push('closed')),
      exit: () => told.push('exit'),
      deadlineMs: 20,
    });
    const quit = async (): Promise<boolean> => {
      let prevented = false;
      beforeQuit({ preventDefault: () => (prevented = true) });
      await setImmediate();
      return prevented;
    };
    return { told, quit };
  }

  it('closes in order where nothing runs, then lets go', async () => {
    const { told, quit } = guard(0, Promise.resolve(false));
    expect(await quit()).toBe(true);
    expect(told).toEqual(['closed', 'exit']);
    expect(await quit()).toBe(false);
  });
  it('stays where the person wants to, and asks again the next time', async () => {
    const { told, quit } = guard(1, Promise.resolve(false));
    await quit();
    await quit();
    expect(told).toEqual(['keep', 'keep']);
  });
  it('ends at the second time although it is still asked', async () => {
    const { told, quit } = guard(1, new Promise(() => undefined));
    await quit();
    expect(told).toEqual([]);
    await quit();
    expect(told).toEqual(['closed', 'exit']);
  });
  it('ends at the second time although it still closes', async () => {
    const { told, quit } = guard(0, Promise.resolve(true), new Promise(() => undefined));
    await quit();
    await quit();
    expect(told).toEqual(['exit']);
  });
});

describe('menus', () => {
  const template = menuTemplate({
    platform: 'linux',
    devTools: false,
    act: () => undefined,
    openRepository: () => undefined,
    saveLog: () => undefined,
  });
  const items = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));

  it('have the roles of editing and nothing for developers', () => {
    expect(template.map(({ role }) => role)).toContain('editMenu');
    expect(items.map(({ role }) => role)).not.toContain('toggleDevTools');
  });
  it('name actions that pages know', () => {
    const known = readFileSync(path.join(ROOT, 'src-renderer/shortcuts/actions.ts'), 'utf8');
    const named = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((id) => !known.includes(`'${id}'`))).toEqual([]);
  });
});

it('a page that crashes is loaded again, one that crashes for ever asks', () => {
  const decide = createAfterGone();
  expect(decide('clean-exit', 0)).toBe('nothing');
  expect([1, 2, 3].map((at) => decide('crashed', at))).toEqual(['reload', 'reload', 'ask']);
  expect(decide('oom', 100_000)).toBe('reload');
});

it('servers that did not survive a sleep are told', () => {
  const before = [
    { name: 'frog', state: 'ready' },
    { name: 'toad', state: 'busy' },
    { name: 'newt', state: 'stopped' },
  ] as const;
  const after = [
    { name: 'frog', state: 'failed' },
    { name: 'toad', state: 'ready' },
  ] as const;
  expect(lostServers(before, after)).toEqual(['frog']);
});

it('a folder on the command line opens a new fix there', () => {
  expect(folderInWords(['vivarium', '--x', '.'], ROOT)).toBe(ROOT);
  expect(folderInWords(['vivarium', 'package.json'], ROOT)).toBe(null);
  expect(folderInWords(['vivarium'], ROOT)).toBe(null);
  expect(newFixHash('/a b&c')).toBe('#/new?repository=%2Fa+b%26c');
});

it('the ground of the window is that of the page', () => {
  const tokens = readFileSync(path.join(ROOT, 'src-renderer/styles/tokens.css'), 'utf8');
  const grounds = [...tokens.matchAll(/--bg: light-dark\((#\w+), (#\w+)\)/g)];
  const [usual, contrast] = grounds.map(([, light, dark]) => [light, dark]);
  const look = (is: boolean) =>
    [false, true].map((dark) => backgroundColor({ dark, contrast: is }));
  expect([look(false), look(true)]).toEqual([usual, contrast]);
});
