import type { Database } from 'better-sqlite3';
import type { Store } from './types.ts';

/** What people set or typed, one JSON a key; see `Store.kept`. */
export function openKept(database: Database, now: () => number): Store['kept'] {
  const select = database.prepare<[string, string], { value: string }>(
    'SELECT value FROM kept WHERE area = ? AND key = ?',
  );
  const upsert = database.prepare(`
    INSERT INTO kept (area, key, value, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (area, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`);
  const remove = database.prepare('DELETE FROM kept WHERE area = ? AND key = ?');
  return {
    get(area, key) {
      const row = select.get(area, key);
      if (row === undefined) return undefined;
      try {
        return JSON.parse(row.value) as unknown;
      } catch {
        // Nothing that a person could repair: as if it was never set.
        return undefined;
      }
    },
    set: (area, key, value) => void upsert.run(area, key, JSON.stringify(value), now()),
    remove: (area, key) => void remove.run(area, key),
  };
}
