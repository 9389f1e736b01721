import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeDemo } from '../../../test/fixtures/tasks/make-demo.ts';
import { appFolder } from '../../lib/index.ts';
import { readTaskSet } from './read-task-set.ts';

test('the demonstration tasks are those that their sources make', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  try {
    const made = await makeDemo(folder);
    const set = await readTaskSet(path.join(appFolder(), 'resources/tasks/demo'));
    expect(set.refused).toEqual([]);
    expect(set.tasks.map(({ name }) => name)).toEqual(['merge-ranges', 'slug-words', 'ticket-age']);
    expect(set.tasks.map(({ hash }) => hash)).toEqual(made.map(({ hash }) => hash));
    expect(set.hash).toBe((await readTaskSet(folder)).hash);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
