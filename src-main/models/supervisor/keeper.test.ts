import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../lib/index.ts';
import type { ServerStatus } from '../servers/types.ts';
import { readAccess, serverFiles } from './files.ts';
import { startKeeper, type StartKeeperOptions } from './start-keeper.ts';
import { carriers, guardsOf, temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';

const APP = fileURLToPath(new URL('./testing/app.ts', import.meta.url));

function keeper(home: string, behaviour: object): StartKeeperOptions {
  const argv = [process.execPath, APP, home, 'toad', JSON.stringify(behaviour), 'keeper'];
  onTestFinished(async () => {
    await testSupervisor(home).stop('toad', { force: true });
  });
  return { argv, env: process.env, home, name: 'toad' };
}

function pidOf(owner: string | null): number {
  return Number(owner?.split('.')[0]);
}

describe('a keeper', () => {
  it('owns a server in the background until another process asks for its end', async () => {
    const home = temporaryHome();
    const seen: string[] = [];
    const status = await startKeeper({
      ...keeper(home, { lines: ['loading 1 of 1'] }),
      onStatus: ({ state }) => seen.push(state),
    });
    expect(status).toMatchObject({ state: 'ready', ownerKind: 'keeper' });
    expect(seen.at(-1)).toBe('ready');
    const nonce = readAccess(serverFiles(home, 'toad'))?.nonce ?? '';
    const other = testSupervisor(home);
    expect(await other.status('toad')).toMatchObject({ state: 'ready', address: status.address });
    expect((await other.list()).map(({ name }) => name)).toEqual(['toad']);
    expect(await other.stop('toad')).toMatchObject({ state: 'stopped', owner: null, pid: null });
    expect(carriers(nonce)).toEqual([]);
    expect(await waitUntil(() => !isAlive(status.owner ?? ''), 5_000)).not.toBeNull();
  });

  it('S03 that fails tells why it failed', async () => {
    const home = temporaryHome();
    const starting = startKeeper(keeper(home, { lines: ['ERROR: no such tensor'], exit: 1 }));
    await expect(starting).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('ERROR: no such tensor') as string,
    });
  });

  it('S06 a second keeper of the same server is refused, and the first goes on', async () => {
    const home = temporaryHome();
    const first = await startKeeper(keeper(home, {}));
    await expect(startKeeper(keeper(home, {}))).rejects.toMatchObject({ code: 'server_running' });
    expect(await testSupervisor(home).status('toad')).toMatchObject({
      state: 'ready',
      owner: first.owner,
    });
  });

  it('S06 is ended by an abort while its server loads', async () => {
    const home = temporaryHome();
    const cancel = new AbortController();
    let loading: ServerStatus | null = null;
    const starting = startKeeper({
      ...keeper(home, { stall: true }),
      signal: cancel.signal,
      onStatus: (status) => {
        if (status.pid === null) return;
        loading = status;
        cancel.abort(new Error('Ctrl-C'));
      },
    });
    await expect(starting).rejects.toThrow('Ctrl-C');
    expect(loading).toMatchObject({ state: 'loading' });
    expect(await testSupervisor(home).status('toad')).toMatchObject({
      state: 'stopped',
      pid: null,
    });
  });

  it('S06 that begins later starts the server that another was stopped with while it loaded', async () => {
    const home = temporaryHome();
    const begin = join(home, 'begin');
    const late = keeper(home, {});
    const script = `until [ -e '${begin}' ]; do sleep 0.02; done; exec "$@"`;
    const seen: string[] = [];
    const saw = (state: string) => waitUntil(() => seen.includes(state), 10_000);
    const waiting = startKeeper({
      ...late,
      argv: ['sh', '-c', script, 'sh', ...late.argv],
      onStatus: ({ state }) => seen.push(state),
    });
    // Should it be refused, then not before somebody looks.
    waiting.catch(() => {});
    const cancel = new AbortController();
    const first = startKeeper({ ...keeper(home, { stall: true }), signal: cancel.signal });
    expect(await saw('loading')).not.toBeNull();
    cancel.abort(new Error('Ctrl-C'));
    await expect(first).rejects.toThrow('Ctrl-C');
    expect(await saw('stopped')).not.toBeNull();
    writeFileSync(begin, '');
    expect(await waiting).toMatchObject({ state: 'ready', ownerKind: 'keeper' });
  });

  it('S01 that is killed with kill -9 takes its server along; what is left is put right', async () => {
    const home = temporaryHome();
    const status = await startKeeper(keeper(home, { children: 1, escaped: 1 }));
    const nonce = readAccess(serverFiles(home, 'toad'))?.nonce ?? '';
    process.kill(pidOf(status.owner), 'SIGKILL');
    const nothing = (): boolean => carriers(nonce).length === 0 && guardsOf(nonce).length === 0;
    expect(await waitUntil(nothing, 5_000)).not.toBeNull();
    const other = testSupervisor(home);
    expect((await other.status('toad')).state).toBe('lost');
    expect(await other.reap()).toEqual(['toad']);
    expect((await other.status('toad')).state).toBe('stopped');
    expect(await other.reap()).toEqual([]);
  });

  it('S06 SIGTERM ends it in order', async () => {
    const home = temporaryHome();
    const status = await startKeeper(keeper(home, {}));
    process.kill(pidOf(status.owner), 'SIGTERM');
    expect(await waitUntil(() => !isAlive(status.owner ?? ''), 5_000)).not.toBeNull();
    expect((await testSupervisor(home).status('toad')).state).toBe('stopped');
  });
});
