import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, processIdentity } from '../../lib/index.ts';
import { readRecord, serverFiles, writeRecord } from './files.ts';
import { takeLock } from './lock.ts';
import { temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { CPU_PLAN, startRequest } from './testing/start-request.ts';

const APP = fileURLToPath(new URL('./testing/app.ts', import.meta.url));

/** Another process with a server of its own; returns its pid. */
async function otherApp(home: string, name = 'toad'): Promise<number> {
  const app = spawn(process.execPath, [APP, home, name, '{}'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  await new Promise((resolve) => createInterface({ input: app.stdout }).once('line', resolve));
  return app.pid ?? 0;
}

describe('a second instance', () => {
  it('S06 sees the server of the first, uses it, and does not end it', async () => {
    const home = temporaryHome();
    const owner = await otherApp(home);
    const second = testSupervisor(home);
    expect(await second.status('toad')).toMatchObject({
      state: 'ready',
      owner: processIdentity(owner),
      ownerKind: 'app',
    });
    await expect(second.start(startRequest(standInEngine()))).rejects.toMatchObject({
      code: 'server_running',
    });
    expect(await second.reap()).toEqual([]);
    const joined = await second.join('toad');
    const response = await fetch(`${joined?.access.root}/v1/models`, {
      headers: { authorization: `Bearer ${joined?.access.key}` },
    });
    expect(response.status).toBe(200);
    await second.close();
    expect((await second.status('toad')).state).toBe('ready');
    joined?.release();
  });

  it('S06 S10 may stop it, but not under the request of a third', async () => {
    const home = temporaryHome();
    await otherApp(home);
    const second = testSupervisor(home);
    const third = spawn('sleep', ['60']);
    onTestFinished(() => void third.kill());
    // The lease of another living process, as it would have written it.
    const identity = processIdentity(third.pid);
    const users = serverFiles(home, 'toad').users;
    writeFileSync(join(users, 'third'), JSON.stringify({ identity, inFlight: 1 }));
    const busy = async (): Promise<boolean> => (await second.status('toad')).state === 'busy';
    expect(await waitUntil(busy, 5_000)).not.toBeNull();
    expect((await second.status('toad')).users).toBe(1);
    await expect(second.stop('toad')).rejects.toMatchObject({
      code: 'server_running',
      message: `The server of toad is answering requests of process ${third.pid}.`,
    });
    // One that died does not count.
    third.kill('SIGKILL');
    expect(await waitUntil(async () => !(await busy()), 5_000)).not.toBeNull();
    expect((await second.stop('toad')).state).toBe('stopped');
  });

  it('S06 may force it', async () => {
    const home = temporaryHome();
    const owner = startRequest(standInEngine());
    const first = testSupervisor(home);
    const server = await first.start(owner);
    const joined = await testSupervisor(home).join('toad');
    const end = joined?.begin();
    expect(await waitUntil(() => server.status().state === 'busy', 5_000)).not.toBeNull();
    expect((await first.stop('toad', { force: true })).state).toBe('stopped');
    end?.();
    joined?.release();
    expect(await first.join('toad')).toBeNull();
  });

  it('S06 has what it asks for seen within 250 ms', async () => {
    const home = temporaryHome();
    const server = await testSupervisor(home).start(startRequest(standInEngine()));
    const asked = performance.now();
    let seenMs = 0;
    server.subscribe(({ state }) => {
      if (state === 'stopping') seenMs = performance.now() - asked;
    });
    await testSupervisor(home).stop('toad');
    expect(seenMs).toBeGreaterThan(0);
    expect(seenMs).toBeLessThan(250);
  });

  it('one server has a GPU', async () => {
    const home = temporaryHome();
    const gpu = {
      index: 0,
      uuid: 'GPU-1',
      name: 'Toy',
      totalBytes: 1,
      freeBytes: 1,
      vendor: 'nvidia' as const,
      driver: null,
    };
    const machine = { ...startRequest(standInEngine()).machine, gpus: [gpu] };
    const plan = { ...CPU_PLAN, device: 'gpu' as const, gpus: [0] };
    const supervisor = testSupervisor(home, { gpuPids: () => Promise.resolve(new Set()) });
    const first = await supervisor.start(startRequest(standInEngine(), { plan, machine }));
    const second = startRequest(standInEngine(), { plan, machine, name: 'frog' });
    await expect(supervisor.start(second)).rejects.toMatchObject({
      code: 'gpu_busy',
      message: 'GPU 0 (Toy) is in use by the server of toad.',
    });
    await first.stop();
    expect((await supervisor.start(second)).status().state).toBe('ready');
  });

  it('memory of a GPU is free before a stop is done', async () => {
    const home = temporaryHome();
    let asked = 0;
    let leader = 0;
    const gpuPids = (): Promise<ReadonlySet<number>> => {
      asked += 1;
      return Promise.resolve(new Set(asked < 3 ? [leader] : []));
    };
    const plan = { ...CPU_PLAN, device: 'gpu' as const, gpus: [0] };
    const server = await testSupervisor(home, { gpuPids }).start(
      startRequest(standInEngine(), { plan }),
    );
    leader = server.status().pid ?? 0;
    await server.stop();
    expect(asked).toBe(3);
  });
});

describe('what a dead owner left', () => {
  it('is ended only with the proof that it is ours', async () => {
    const home = temporaryHome();
    const files = serverFiles(home, 'toad');
    const server = await testSupervisor(home).start(startRequest(standInEngine()));
    await server.stop();
    // A process of somebody else now has the pid of the record; nothing else is wrong with it.
    const stranger = spawn('sleep', ['60']);
    onTestFinished(() => void stranger.kill());
    const identity = processIdentity(stranger.pid);
    const [, startTicks = '', bootId = ''] = identity.split('.');
    const record = readRecord(files);
    if (record === null) throw new Error('no record');
    writeRecord(files, {
      ...record,
      state: 'ready',
      owner: `1.1.${bootId}`,
      pid: stranger.pid ?? 0,
      proof: {
        pid: stranger.pid ?? 0,
        group: stranger.pid ?? 0,
        startTicks,
        bootId,
        executable: null,
        argvSha256: '',
        nonce: 'aaaaaaaaaaaaaaaaaaaaaaaaaa',
        container: null,
      },
    });
    const supervisor = testSupervisor(home);
    expect((await supervisor.status('toad')).state).toBe('lost');
    expect(await supervisor.reap()).toEqual(['toad']);
    expect(isAlive(identity)).toBe(true);
  });

  it('is left alone while somebody else has the lock', async () => {
    const home = temporaryHome();
    const server = await testSupervisor(home).start(startRequest(standInEngine()));
    await server.stop();
    const files = serverFiles(home, 'toad');
    const record = readRecord(files);
    if (record === null) throw new Error('no record');
    writeRecord(files, { ...record, state: 'ready', owner: '1.1.x', proof: null });
    const { lock } = takeLock(files.lock, 'test');
    expect(await testSupervisor(home).reap()).toEqual([]);
    lock?.release();
    expect(await testSupervisor(home).reap()).toEqual(['toad']);
  });
});
