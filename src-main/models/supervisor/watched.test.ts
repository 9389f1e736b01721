import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OwnedServer } from '../servers/types.ts';
import { temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

async function set(server: OwnedServer, query: string): Promise<void> {
  await fetch(`${server.access().root}/set?${query}`);
}

function state(server: OwnedServer): string {
  return server.status().state;
}

describe('a slow load', () => {
  it('S04 is not ended while it makes progress, which is shown', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `loading part ${index + 1} of 12`);
    const said: string[] = [];
    // Twelve steps of 0.2 s against a limit of 1.2 s without a sign of life.
    const server = await testSupervisor(temporaryHome(), { limits: { stallMs: 1_200 } }).start(
      startRequest(standInEngine({ lines, stepMs: 200 }), {
        onStatus: ({ progress }) => said.push(progress ?? ''),
      }),
    );
    expect(server.status().timings?.readyMs).toBeGreaterThan(2_400);
    expect(server.status().restarts).toBe(0);
    for (const line of lines) expect(said).toContain(line);
  });

  it('S04 that does nothing any more has stalled, and says at what', async () => {
    const supervisor = testSupervisor(temporaryHome(), { limits: { stallMs: 600 } });
    const engine = standInEngine({ lines: ['loading part 1 of 2'], stall: true });
    await expect(supervisor.start(startRequest(engine))).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(
        /It stalled while loading part 1 of 2: no output, no processor time and no reading for 1 s/,
      ) as string,
    });
    expect((await supervisor.status('toad')).failure?.kind).toBe('stalled');
  });
});

describe('a server that is ready', () => {
  const HANG = { quietMs: 1_000, probeMs: 1_000 };

  it('S05 that hangs with a healthy face is found by a token that does not come', async () => {
    const server = await testSupervisor(temporaryHome(), { limits: HANG }).start(
      startRequest(standInEngine()),
    );
    const failures: string[] = [];
    server.subscribe(({ failure }) => failures.push(failure?.kind ?? ''));
    await set(server, 'hang=1');
    const end = server.begin();
    expect(await waitUntil(() => server.status().restarts === 1, 10_000)).not.toBeNull();
    expect(await waitUntil(() => state(server) === 'busy', 10_000)).not.toBeNull();
    end();
    expect(state(server)).toBe('ready');
    expect(failures).toContain('hung');
  });

  it('that says it has lost a part is not waited for until it ends by itself', async () => {
    const failures = [
      { fragment: 'broken', failure: { kind: 'engine-died', deterministic: false } },
    ];
    const server = await testSupervisor(temporaryHome()).start(
      startRequest(standInEngine({ failures, children: 1 })),
    );
    const kinds: string[] = [];
    server.subscribe(({ failure }) => kinds.push(failure?.kind ?? ''));
    const before = server.pids();
    await set(server, 'say=broken+for+good');
    const again = (): boolean => server.status().restarts === 1 && state(server) === 'ready';
    expect(await waitUntil(again, 10_000)).not.toBeNull();
    expect(kinds).toContain('engine-died');
    expect(server.pids().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('S05 that works at a long prefill is left alone', async () => {
    const server = await testSupervisor(temporaryHome(), { limits: HANG }).start(
      startRequest(standInEngine()),
    );
    await set(server, 'hang=1&spin=1');
    const end = server.begin();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(server.status()).toMatchObject({ state: 'busy', restarts: 0 });
    end();
  });

  it('S05 that counts tokens is left alone, idle as its processor may be', async () => {
    const server = await testSupervisor(temporaryHome(), { limits: HANG }).start(
      startRequest(standInEngine()),
    );
    await set(server, 'hang=1&running=1');
    for (let turn = 0; turn < 40; turn += 1) {
      await set(server, 'generated=1');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(server.status()).toMatchObject({ state: 'busy', restarts: 0 });
  });

  it('that does not serve any more, though it runs, is started again', async () => {
    const server = await testSupervisor(temporaryHome(), { limits: { healthMs: 150 } }).start(
      startRequest(standInEngine()),
    );
    const failures: string[] = [];
    server.subscribe(({ failure }) => failures.push(failure?.kind ?? ''));
    await set(server, 'deaf=1');
    expect(await waitUntil(() => server.status().restarts === 1, 10_000)).not.toBeNull();
    expect(await waitUntil(() => state(server) === 'ready', 10_000)).not.toBeNull();
    expect(failures).toContain('unreachable');
  });

  it('that dies is started again at the same address with the same key', async () => {
    const server = await testSupervisor(temporaryHome()).start(startRequest(standInEngine()));
    const before = server.access();
    await set(server, 'exit=1');
    expect(await waitUntil(() => server.status().restarts === 1, 10_000)).not.toBeNull();
    expect(await waitUntil(() => state(server) === 'ready', 10_000)).not.toBeNull();
    expect(server.access()).toEqual(before);
  });

  it('that dies again and again is given up, with its last failure', async () => {
    const supervisor = testSupervisor(temporaryHome(), { limits: { restarts: 1 } });
    const server = await supervisor.start(startRequest(standInEngine()));
    await set(server, 'exit=3');
    expect(await waitUntil(() => server.status().restarts === 1, 10_000)).not.toBeNull();
    expect(await waitUntil(() => state(server) === 'ready', 10_000)).not.toBeNull();
    await set(server, 'exit=3');
    expect(await server.ended).toMatchObject({
      state: 'failed',
      failure: { cause: 'The engine ended with exit code 3 while it was in use.' },
    });
  });

  it('tells its processes at each tick, and what it took beside the estimate', async () => {
    const ticks: number[][] = [];
    const supervisor = testSupervisor(temporaryHome(), {
      onTick: ({ pids }) => void ticks.push(pids),
    });
    const server = await supervisor.start(startRequest(standInEngine({ children: 1 })));
    expect(await waitUntil(() => (ticks.at(-1)?.length ?? 0) >= 3, 5_000)).not.toBeNull();
    expect(ticks.at(-1)).toContain(server.status().pid);
    const memory = (): number => server.status().memory?.measuredBytes ?? 0;
    expect(await waitUntil(() => memory() > 10_000_000, 5_000)).not.toBeNull();
    expect(server.status().memory?.ratio).toBe(memory() / 100_000_000);
  });
});

describe('idle unload', () => {
  const IDLE = { limits: { idleMinuteMs: 200 }, profileChanges: { idleMinutes: 3 } };

  it('S10 stops a server that nobody used for the whole time', async () => {
    const supervisor = testSupervisor(temporaryHome(), IDLE);
    const server = await supervisor.start(startRequest(standInEngine(), IDLE));
    const last = await server.ended;
    expect(last).toMatchObject({ state: 'stopped', progress: null, failure: null });
    const log = readFileSync(last.logFile ?? '', 'utf8');
    expect(log).toContain('vivarium: stopping, no request for 3 minutes\n');
  });

  it.each([
    ['of this process', (server: OwnedServer) => Promise.resolve(void server.begin())],
    ['that only the server knows of', (server: OwnedServer) => set(server, 'running=1')],
  ])('S10 never cuts a request %s', async (_whose, begin) => {
    const supervisor = testSupervisor(temporaryHome(), IDLE);
    const server = await supervisor.start(startRequest(standInEngine(), IDLE));
    await begin(server);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(state(server)).toBe('busy');
  });

  it('S10 begins anew with each request, however short', async () => {
    const supervisor = testSupervisor(temporaryHome(), IDLE);
    const server = await supervisor.start(startRequest(standInEngine(), IDLE));
    for (let turn = 0; turn < 10; turn += 1) {
      await set(server, 'generated=1');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(state(server)).toBe('ready');
  });
});
