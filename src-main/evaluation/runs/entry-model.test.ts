import { describe, expect, test } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import { openEntryModel } from './entry-model.ts';
import { planOf } from './testing.ts';

const [ENTRY] = planOf({ tasks: [], entries: 1, seeds: [] }).entries;
if (ENTRY === undefined) throw new Error('a plan has an entry');
const entry = ENTRY;

const GONE = new VivariumError('endpoint_unreachable', 'no answer', 'Start it.');

interface FakeModel extends ModelHandle {
  closed: boolean;
}

/** A model that is there, or is gone for a reason. */
function model(reason: Error | null): FakeModel {
  const fake: FakeModel = {
    closed: false,
    chat: { complete: () => Promise.reject(new Error('nothing is asked here')) },
    info: {
      ...{ engine: 'scripted', name: 'm', spec: 'm', contextTokens: null, sha256: null },
      details: {},
    },
    pid: null,
    gone: () => Promise.resolve(reason),
    close: () => {
      fake.closed = true;
      return Promise.resolve();
    },
  };
  return fake;
}

function parts(models: (ModelHandle | Error)[]) {
  const { signal } = new AbortController();
  const openModel = () => {
    const next = models.shift() ?? new Error('no more models');
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { signal, openModel };
}

describe('the model of an entry', () => {
  test('a server that may answer again is alive', async () => {
    const first = model(null);
    const opened = await openEntryModel(entry, parts([first]));
    expect(await opened.recover(first)).toBe('alive');
    expect([opened.handle(), first.closed]).toEqual([first, false]);
  });

  test('a dead one is closed and opened anew, once for all who meet it', async () => {
    const [first, second] = [model(GONE), model(null)];
    const opened = await openEntryModel(entry, parts([first, second]));
    const all = await Promise.all([opened.recover(first), opened.recover(first)]);
    expect(all).toEqual(['reopened', 'reopened']);
    expect(await opened.recover(first)).toBe('reopened');
    expect([opened.handle(), first.closed]).toEqual([second, true]);
  });

  test('one that cannot be opened any more is told by its own fault', async () => {
    const first = model(GONE);
    const opened = await openEntryModel(entry, parts([first, GONE]));
    await expect(opened.recover(first)).rejects.toMatchObject({ code: 'endpoint_unreachable' });
  });

  test('one that dies again and again without a reply is given up; a reply counts anew', async () => {
    const dead = () => model(GONE);
    const opened = await openEntryModel(entry, parts([dead(), dead(), dead(), dead(), dead()]));
    const die = () => opened.recover(opened.handle());
    expect([await die(), await die()]).toEqual(['reopened', 'reopened']);
    opened.worked();
    expect([await die(), await die()]).toEqual(['reopened', 'reopened']);
    await expect(die()).rejects.toMatchObject({
      ...{ code: 'engine_failed', message: 'the server of m0 dies again and again: no answer' },
    });
  });
});
