import { expect, test, vi } from 'vitest';
import { processIdentity } from '../../lib/index.ts';
import type { Supervisor } from '../servers/types.ts';
import { joinWhenReady, untilSettled } from './join-when-ready.ts';
import { useJoined, type Joined } from './joined-use.ts';
import { FAILED, otherProcess, statusOf } from './testing.ts';

const LOADING = statusOf('loading', { address: null, progress: 'loading the weights' });
const noMemory = () => Promise.resolve(null);

async function joinedUse(other: ReturnType<typeof otherProcess>) {
  const joined = (await other.join('frog')) as Joined;
  return useJoined(other as unknown as Supervisor, joined, noMemory);
}

test('a server of another process: its lease is held until released, requests are counted', async () => {
  const other = otherProcess(statusOf('ready'));
  const use = await joinedUse(other);
  const end = use.begin();
  const life = await use.reach(undefined);
  expect([life.access.root, other.leases(), other.running()]).toEqual(['http://127.0.0.1:1', 1, 1]);
  end();
  end();
  expect(other.running()).toBe(0);
  await use.release();
  expect(other.leases()).toBe(0);
});

test('it is followed to where it is after a restart, with one lease', async () => {
  const other = otherProcess(statusOf('ready'));
  const use = await joinedUse(other);
  const end = use.begin();
  const first = await use.reach(undefined);
  other.become(LOADING);
  await vi.waitFor(() => expect(first.down.aborted).toBe(true), 3_000);
  const again = use.reach(undefined);
  other.become(statusOf('ready', { address: 'http://127.0.0.1:2' }));
  expect((await again).access.root).toBe('http://127.0.0.1:2');
  expect(other.leases()).toBe(1);
  end();
});

test('one that ended for good is told with its cause; an abort wins', async () => {
  const other = otherProcess(statusOf('ready'));
  const use = await joinedUse(other);
  const end = use.begin();
  const life = await use.reach(undefined);
  other.become(FAILED);
  await vi.waitFor(() => expect(life.down.aborted).toBe(true), 3_000);
  expect(life.down.reason).toMatchObject({ code: 'engine_failed', next: 'Use a smaller context.' });
  await expect(use.reach(undefined)).rejects.toMatchObject({ code: 'engine_failed' });
  other.become(LOADING);
  const cancel = new AbortController();
  const waiting = use.reach(cancel.signal);
  cancel.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toThrow('Ctrl-C');
  end();
});

test('S06 one that loads is waited for, and told of; one that is stopped or gone is not', async () => {
  const other = otherProcess(LOADING);
  const seen: (string | null)[] = [];
  const joining = joinWhenReady(other, 'frog', {
    onStatus: ({ progress }) => {
      seen.push(progress);
      other.become(statusOf('ready'));
    },
  });
  expect((await joining)?.access.root).toBe('http://127.0.0.1:1');
  expect(seen).toEqual(['loading the weights']);
  for (const state of ['stopped', 'failed', 'lost'] as const) {
    expect(await joinWhenReady(otherProcess(statusOf(state)), 'frog', {})).toBeNull();
  }
});

test('S06 one that stops is waited for until its memory is free', async () => {
  const other = otherProcess(statusOf('stopping'));
  const settled = untilSettled(other, 'frog', {
    onStatus: () => other.become(statusOf('stopped')),
  });
  expect((await settled).state).toBe('stopped');
});

test('one whose process died is waited for while its owner lives, and not any more', async () => {
  const other = otherProcess(statusOf('ready'));
  const use = await joinedUse(other);
  other.become(statusOf('lost', { owner: processIdentity() }));
  const reaching = use.reach(undefined);
  setTimeout(() => other.become(LOADING), 100);
  setTimeout(() => other.become(statusOf('ready', { address: 'http://127.0.0.1:2' })), 200);
  expect((await reaching).access.root).toBe('http://127.0.0.1:2');
  other.become(statusOf('lost'));
  await expect(use.reach(undefined)).rejects.toMatchObject({ code: 'server_not_running' });
});

test('one that begins to stop as it is joined is not used, and no lease stays', async () => {
  const other = otherProcess(statusOf('ready'));
  const join: Supervisor['join'] = async (name) => {
    const joined = await other.join(name);
    other.become(statusOf('stopping'));
    setTimeout(() => other.become(statusOf('stopped')), 50);
    return joined;
  };
  expect(await joinWhenReady({ ...other, join }, 'frog', {})).toBeNull();
  expect(other.leases()).toBe(0);
});

test('an abort ends the wait for a start with its own reason', async () => {
  const cancel = new AbortController();
  const joining = joinWhenReady(otherProcess(LOADING), 'frog', { signal: cancel.signal });
  cancel.abort(new Error('Ctrl-C'));
  await expect(joining).rejects.toThrow('Ctrl-C');
});
