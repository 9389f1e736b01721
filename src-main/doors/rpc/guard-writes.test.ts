import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CONTRACT, type Handlers } from '../../contract/index.ts';
import { guardWrites, WRITING_CALLS } from './guard-writes.ts';

const INPUT = { session: 's', format: 'patch', out: '/picked' } as const;
const CONTEXT = { signal: new AbortController().signal };

describe('what a page may write', () => {
  const written: string[] = [];
  const handlers: Partial<Handlers> = {
    'review/export': async ({ out }) => {
      written.push(out);
      return { files: [], command: null };
    },
    about: () => Promise.reject(new Error('not asked')),
  };

  it('is where a person said so, and nowhere else', async () => {
    const asked: string[] = [];
    const guarded = guardWrites(handlers, (folder) => asked.push(folder) === 1);
    await guarded['review/export']?.(INPUT, CONTEXT);
    await expect(guarded['review/export']?.({ ...INPUT, out: '/etc' }, CONTEXT)).rejects.toThrow(
      expect.objectContaining({ code: 'out_unwritable' }),
    );
    expect([asked, written]).toEqual([['/picked', '/etc'], ['/picked']]);
    expect(guarded.about).toBe(handlers.about);
    expect(guardWrites({}, () => true)).toEqual({});
  });

  it('is all that the contract lets it name: each input that may be a place is known', () => {
    /** Read, or written below the data folder alone, or in a workspace. */
    const harmless = new Set([
      ...['models/add.path', 'repositories/inspect.path', 'folders/list.path'],
      ...['environment/importImage.file', 'sessions/start.repository', 'sessions/check.repository'],
      // A filter, and a name in the library.
      ...['sessions/list.repository', 'models/rename.to'],
    ]);
    const places = Object.entries(CONTRACT).flatMap(([name, { input }]) =>
      Object.keys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {})
        .filter((member) => /^(out|path|file|folder|dir|repository|to|target)$/i.test(member))
        .map((member) => `${name}.${member}`),
    );
    const rest = places.filter((place) => !harmless.has(place));
    expect(rest).toEqual([...WRITING_CALLS.map((name) => `${name}.out`)]);
  });
});
