/** How a window opens: where it can be seen, on the right ground, and not before it has something to show. */
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../contract/index.ts';
import { openWindow } from './app-window.ts';
import { fakeElectron } from './testing.ts';
import type { WindowPlace } from './window-place.ts';

const OFF_SCREEN = { x: 9_000, y: 9_000, width: 900, height: 700, maximized: true };

function open(window?: WindowPlace, contrast = false) {
  const fake = fakeElectron();
  Object.assign(fake.electron.nativeTheme, { shouldUseHighContrastColors: contrast });
  const kept: WindowPlace[] = [];
  openWindow({
    electron: fake.electron,
    preload: '/app/preload.cjs',
    devTools: false,
    settings: settingsSchema.parse({ ...(window && { window }) }),
    keepPlace: (place) => kept.push(place),
  });
  const [opened] = fake.windows;
  if (opened === undefined) throw new Error('no window');
  return { opened, kept };
}

describe('a window', () => {
  it.each([
    [OFF_SCREEN, { x: 510, y: 190, width: 900, height: 700 }],
    [
      { ...OFF_SCREEN, x: 40, y: 30 },
      { x: 40, y: 30, width: 900, height: 700 },
    ],
    [undefined, { x: 320, y: 140, width: 1280, height: 800 }],
  ])('that was at %j opens where it is seen', (last, bounds) => {
    expect(open(last).opened.options).toMatchObject(bounds);
  });

  it('is drawn dark before its page is, and shown with its page, as large as it was', () => {
    const { opened } = open(OFF_SCREEN);
    expect(opened.options).toMatchObject({ show: false, backgroundColor: '#131613' });
    expect([opened.shown, opened.maximized]).toEqual([false, false]);
    opened.emit('ready-to-show');
    expect([opened.shown, opened.maximized]).toEqual([true, true]);
    expect(open(undefined, true).opened.options.backgroundColor).toBe('#000000');
  });

  it('tells where it was when it closes', () => {
    const { opened, kept } = open();
    opened.emit('close');
    expect(kept).toEqual([{ x: 10, y: 20, width: 900, height: 700, maximized: false }]);
  });
});
