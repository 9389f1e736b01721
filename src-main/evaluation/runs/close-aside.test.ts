import { expect, test } from 'vitest';
import type { Workspace } from '../../workspaces/index.ts';
import { closingAside } from './close-aside.ts';

test('close returns at once and is made once; settled waits for it, whatever came of it', async () => {
  const removal = Promise.withResolvers<void>();
  const done: string[] = [];
  class Slow {
    readonly #id = 'w1';
    get id() {
      return this.#id;
    }
    stat(path: string) {
      return Promise.resolve({ kind: 'file', size: path.length + this.#id.length });
    }
    async close() {
      done.push('asked');
      await removal.promise;
    }
  }
  const { open, settled } = closingAside(() => Promise.resolve(new Slow() as unknown as Workspace));
  const workspace = await open({} as Parameters<typeof open>[0]);
  expect([workspace.id, await workspace.stat('abc')]).toEqual(['w1', { kind: 'file', size: 5 }]);
  await workspace.close();
  await workspace.close();
  expect(done).toEqual(['asked']);
  const over = settled().then(() => done.push('settled'));
  expect(done).toEqual(['asked']);
  removal.reject(new Error('the engine is restarting'));
  await over;
  expect(done).toEqual(['asked', 'settled']);
});
