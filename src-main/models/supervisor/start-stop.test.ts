import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerStatus } from '../servers/types.ts';
import { carriers, guardsOf, temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

describe('a server is started and stopped', () => {
  it('S06 passes from planning over loading to ready, and stop leaves nothing', async () => {
    const home = temporaryHome();
    const supervisor = testSupervisor(home);
    const states: string[] = [];
    const onStatus = ({ state }: ServerStatus): void => {
      if (states.at(-1) !== state) states.push(state);
    };
    const engine = standInEngine({ lines: ['loading 1 of 2', 'loading 2 of 2'], children: 1 });
    const server = await supervisor.start(startRequest(engine, { onStatus }));
    const { nonce, root, servedName } = server.access();
    expect(server.status()).toMatchObject({
      name: 'toad',
      state: 'ready',
      progress: null,
      ownerKind: 'app',
      version: '1.0',
      address: root,
      servedName,
      contextTokens: 4_096,
      restarts: 0,
      failure: null,
    });
    expect(servedName).toBe(`toad-${nonce}`);
    // The server, its child, its grandchild, and what sleeps in them.
    expect(carriers(nonce).length).toBeGreaterThanOrEqual(3);
    expect(server.pids()).toEqual(expect.arrayContaining(carriers(nonce)));
    expect(guardsOf(nonce)).toHaveLength(2);
    await server.stop();
    expect(server.status()).toMatchObject({ state: 'stopped', pid: null, owner: null });
    expect(carriers(nonce)).toEqual([]);
    expect(await waitUntil(() => guardsOf(nonce).length === 0, 5_000)).not.toBeNull();
    expect(states).toEqual(['loading', 'ready', 'stopping', 'stopped']);
    await expect(fetch(`${root}/health`)).rejects.toThrow('fetch failed');
  });

  it('keeps its record to its user, and the key out of what others can read', async () => {
    const home = temporaryHome();
    const supervisor = testSupervisor(home);
    const server = await supervisor.start(startRequest(standInEngine()));
    const folder = join(home, 'servers', 'toad');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of ['state.json', 'access.json', 'logs/server.log']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
    const { key } = server.access();
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).not.toContain(key);
    const pid = server.status().pid ?? 0;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(key);
  });

  it('S06 stop twice at once and once more is one stop', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const server = await supervisor.start(startRequest(standInEngine()));
    await Promise.all([server.stop(), server.stop(), supervisor.stop('toad')]);
    await server.stop();
    expect((await supervisor.stop('toad')).state).toBe('stopped');
  });

  it('S06 a start while it loads or runs is refused, and the first goes on', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const first = supervisor.start(startRequest(standInEngine()));
    const second = supervisor.start(startRequest(standInEngine()));
    await expect(second).rejects.toMatchObject({ code: 'server_running' });
    const server = await first;
    await expect(supervisor.start(startRequest(standInEngine()))).rejects.toMatchObject({
      code: 'server_running',
      message: `The server of toad is ready already; process ${process.pid} owns it.`,
    });
    expect(server.status().state).toBe('ready');
  });

  it('S06 stop while it loads ends the start and leaves nothing', async () => {
    const supervisor = testSupervisor(temporaryHome());
    let nonce = '';
    const engine = standInEngine({ stall: true, stubborn: true, children: 1, escaped: 1 });
    const { command } = engine;
    const starting = supervisor.start(
      startRequest({
        ...engine,
        command: (input) => {
          nonce = input.servedName.slice('toad-'.length);
          return command(input);
        },
      }),
    );
    starting.catch(() => {});
    expect(await waitUntil(() => nonce !== '' && carriers(nonce).length >= 5, 10_000)).not.toBe(
      null,
    );
    const stopped = await supervisor.stop('toad');
    expect(stopped.state).toBe('stopped');
    await expect(starting).rejects.toMatchObject({ code: 'server_not_running' });
    expect(carriers(nonce)).toEqual([]);
  });

  it('S06 an abort while it loads rejects with its reason and leaves nothing', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const cancel = new AbortController();
    const starting = supervisor.start(
      startRequest(standInEngine({ stall: true }), { signal: cancel.signal }),
    );
    await waitUntil(async () => (await supervisor.status('toad')).pid !== null, 5_000);
    cancel.abort(new Error('not any more'));
    await expect(starting).rejects.toThrow('not any more');
    expect((await supervisor.status('toad')).state).toBe('stopped');
  });

  it('S06 starts again after a stop, with a new name and key', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const first = await supervisor.start(startRequest(standInEngine()));
    const before = first.access();
    await first.stop();
    const second = await supervisor.start(startRequest(standInEngine()));
    expect(second.access().nonce).not.toBe(before.nonce);
    expect(second.access().key).not.toBe(before.key);
  });
});
