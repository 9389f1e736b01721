import Database from 'better-sqlite3';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VivariumError } from '../lib/index.ts';
import { openStore } from './index.ts';
import { begin, sample } from './sample-events.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-store-'));
  file = path.join(folder, 'record.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function failure(action: () => unknown): VivariumError {
  try {
    action();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(VivariumError);
    return thrown as VivariumError;
  }
  throw new Error('it did not fail');
}

describe('opening', () => {
  test('an empty place gets the tables, settings and version; only the user can look inside', () => {
    file = path.join(folder, 'a', 'b', 'record.sqlite');
    openStore(file).close();
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const database = new Database(file);
    expect(database.pragma('user_version', { simple: true })).toBe(4);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const tables = database.pragma('table_list') as { name: string; strict: number }[];
    const ours = tables.filter((table) => !table.name.startsWith('sqlite_'));
    expect(ours.map(({ name, strict }) => `${name} ${strict}`).toSorted()).toEqual([
      'attempts 1',
      'blobs 1',
      'events 1',
      'kept 1',
      'run_cells 1',
      'runs 1',
      'server_samples 1',
      'session_marks 1',
      'sessions 1',
    ]);
    database.close();
  });

  test('a file of a newer build is refused and left as it is', () => {
    openStore(file).close();
    const database = new Database(file);
    database.pragma('user_version = 7');
    database.close();
    const error = failure(() => openStore(file));
    expect(error.code).toBe('store_failed');
    expect(error.message).toBe(
      'the session database is of version 7, newer than this Vivarium knows (4)',
    );
    expect(error.next).toBe(
      'Use the newer Vivarium that wrote it, or set VIVARIUM_HOME to another folder.',
    );
  });

  test('a file that is no database, and one cut in the middle, are told as damaged', () => {
    writeFileSync(file, 'this is no database at all '.repeat(100));
    const error = failure(() => openStore(file));
    expect([error.code, error.message]).toEqual([
      'store_failed',
      `the session database is damaged: ${file}`,
    ]);
    expect(error.next).toContain('Move ');

    const other = path.join(folder, 'cut.sqlite');
    const store = openStore(other);
    begin(store);
    for (let step = 1; step < 200; step += 1) store.append(sample('step.finished', { step }));
    store.close();
    const bytes = readFileSync(other);
    bytes.fill(0x5a, Math.floor(bytes.length / 2));
    writeFileSync(other, bytes);
    const damaged = openStore(other);
    const found = failure(() => damaged.events({ sessionId: 's1' }));
    expect([found.code, found.message]).toEqual([
      'store_failed',
      `the session database is damaged: ${other}`,
    ]);
    damaged.close();
  });

  test('a folder that cannot be written, or is no folder, is told with the next step', () => {
    writeFileSync(path.join(folder, 'plain'), '');
    const below = path.join(folder, 'plain', 'record.sqlite');
    for (const place of [below, '/proc/record.sqlite', '/proc/a/b/record.sqlite']) {
      const error = failure(() => openStore(place));
      expect([error.code, error.message]).toEqual([
        'store_failed',
        `the session database cannot be opened for writing: ${place}`,
      ]);
    }
    mkdirSync(file);
    expect(failure(() => openStore(file)).code).toBe('store_failed');
  });

  test('a database file that is read-only is told', () => {
    openStore(file).close();
    const database = new Database(file);
    database.pragma('journal_mode = DELETE');
    database.pragma('user_version = 0');
    database.close();
    // Root ignores permissions; a file that nobody may change stands in for a read-only disk.
    if (spawnSync('chattr', ['+i', file]).status !== 0) return;
    try {
      const error = failure(() => openStore(file));
      expect([error.code, error.message]).toEqual([
        'store_failed',
        `the session database cannot be opened for writing: ${file}`,
      ]);
    } finally {
      spawnSync('chattr', ['-i', file]);
    }
  });
});

// Making a small disk takes root, as set-up does.
describe.skipIf(process.getuid?.() !== 0)('a full disk', () => {
  test('fails the append as disk_full, loses nothing of before, and recovers with space', () => {
    const disk = path.join(folder, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    expect([mounted.status, mounted.stderr.toString()]).toEqual([0, '']);
    try {
      const ballast = path.join(disk, 'ballast');
      writeFileSync(ballast, Buffer.alloc(300_000));
      const store = openStore(path.join(disk, 'record.sqlite'));
      begin(store);
      const big = () => store.append(sample('note', { text: 'x'.repeat(100_000) }));
      let last = 2;
      const error = failure(() => {
        for (let count = 0; count < 100; count += 1) last = big().number;
      });
      expect([error.code, error.next]).toEqual([
        'disk_full',
        'Free some space (`vivarium clean` removes leftovers of dead runs) and try again.',
      ]);
      expect(store.events({ sessionId: 's1' })).toHaveLength(last);
      rmSync(ballast);
      expect(big().number).toBe(last + 1);
      store.close();
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});

describe('several processes', () => {
  const child = fileURLToPath(new URL('./append-forever.ts', import.meta.url));

  test('open a new store at the same moment and append to it without a gap', async () => {
    const runs = ['p1', 'p2', 'p3'].map((name) => {
      const running = spawn(process.execPath, [child, file, name, '40'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      running.stderr.on('data', (data: Buffer) => (errors += data.toString()));
      return new Promise<string>((resolve) => running.on('close', () => resolve(errors)));
    });
    expect(await Promise.all(runs)).toEqual(['', '', '']);
    const store = openStore(file);
    const numbers = ['p1', 'p2', 'p3'].flatMap((sessionId) =>
      store.events({ sessionId }).map((event) => event.number),
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 3 * 42 }, (_, index) => index + 1),
    );
    store.close();
  }, 60_000);
});
