/** Pages that crash or hang, and the log that a person can save. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppLog } from './app-log.ts';
import { createNotes } from './notes.ts';
import { fakeElectron, FakeWindow } from './testing.ts';
import { shellText } from './text.ts';
import { saveLog, watchMachine, watchWindow, type HealthDoor } from './watch-health.ts';

describe('the health of the app', () => {
  let folder: string;
  let fake: ReturnType<typeof fakeElectron>;
  let window: FakeWindow;
  let door: HealthDoor;
  let forced: string[];
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-health-'));
    fake = fakeElectron();
    window = new FakeWindow({}, 1);
    forced = [];
    Object.assign(window.webContents, {
      forcefullyCrashRenderer: () => forced.push('crash'),
    });
    const notes = createNotes(fake.electron.Notification, () => undefined);
    door = { electron: fake.electron, log: createAppLog(), notes, statuses: async () => [] };
    watchWindow(door, window as never);
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });
  const crash = (): void => {
    const gone = { reason: 'crashed', exitCode: 11 };
    window.webContents.emit('render-process-gone', {}, gone);
  };

  it('a page that crashes for ever asks, saves the log where the person says, and is loaded again', async () => {
    const file = path.join(folder, 'app.log');
    Object.assign(fake.person, { button: 1, saved: file });
    for (let times = 0; times < 3; times += 1) crash();
    await vi.waitFor(() => expect(window.webContents.reloads).toBe(3));
    expect(fake.calls).toEqual([`ask ${shellText.gone.message}`]);
    expect(readFileSync(file, 'utf8').match(/page gone: crashed, exit code 11/g)).toHaveLength(3);
  });

  it('or quits', async () => {
    fake.person.button = 2;
    for (let times = 0; times < 3; times += 1) crash();
    await vi.waitFor(() => expect(fake.calls).toContain('quit'));
    expect(window.webContents.reloads).toBe(2);
  });

  it('a log that cannot be written says so; nobody is asked twice', async () => {
    await saveLog(door);
    expect(fake.calls).toEqual([]);
    fake.person.saved = path.join(folder, 'no', 'such', 'folder.log');
    await saveLog(door);
    expect(fake.calls).toEqual([`error ${shellText.saveLog}`]);
  });

  it('a page that hangs is left alone, or ended and loaded again', async () => {
    window.emit('unresponsive');
    await vi.waitFor(() => expect(fake.calls).toEqual([`ask ${shellText.stuck.message}`]));
    expect([forced, window.webContents.reloads]).toEqual([[], 0]);
    fake.person.button = 1;
    window.emit('unresponsive');
    await vi.waitFor(() => expect(window.webContents.reloads).toBe(1));
    expect(forced).toEqual(['crash']);
  });

  it('servers that a sleep has cost are told in a note', async () => {
    const states = [[{ name: 'frog', state: 'ready' }], [{ name: 'frog', state: 'failed' }]];
    watchMachine({ ...door, statuses: async () => (states.shift() ?? []) as never });
    vi.useFakeTimers();
    fake.electron.powerMonitor.emit('suspend');
    fake.electron.powerMonitor.emit('resume');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fake.notes.map(({ title, body }) => [title, body])).toEqual([
      [shellText.lost.title(1), shellText.lost.body(['frog'])],
    ]);
  });
});
