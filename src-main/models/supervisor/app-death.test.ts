import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carriers, guardsOf, temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';
import { isAlive, processIdentity } from '../../lib/index.ts';

const APP = fileURLToPath(new URL('./testing/app.ts', import.meta.url));
/** Children in the group and out of the session, each with a child of its own. */
const FAMILY = { children: 1, escaped: 1 };

interface Started {
  app: ChildProcess;
  nonce: string;
  pid: number;
}

async function startApp(home: string, behaviour: object): Promise<Started> {
  const app = spawn(process.execPath, [APP, home, 'toad', JSON.stringify(behaviour)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: app.stdout }).once('line', resolve);
    app.once('exit', (code) => reject(new Error(`The app ended with ${String(code)}.`)));
  });
  const { nonce, pid } = JSON.parse(line) as { nonce: string; pid: number };
  return { app, nonce, pid };
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** Milliseconds until nothing with the nonce is left, guards included; `null` after 5 s. */
function untilNothing(nonce: string): Promise<number | null> {
  return waitUntil(() => carriers(nonce).length === 0 && guardsOf(nonce).length === 0, 5_000);
}

describe('the app is killed with kill -9', () => {
  it.each([
    ['a server that ends when asked', FAMILY],
    ['a server whose processes ignore TERM', { ...FAMILY, stubborn: true }],
  ])('S01 %s: nothing is left within 5 s', async (_what, behaviour) => {
    const { app, nonce } = await startApp(temporaryHome(), behaviour);
    expect(carriers(nonce).length).toBeGreaterThanOrEqual(5);
    expect(guardsOf(nonce)).toHaveLength(2);
    app.kill('SIGKILL');
    expect(await untilNothing(nonce)).not.toBeNull();
  });

  it.each([0, 1])('S01 guard %i dies with it: the other one ends all', async (which) => {
    const { app, nonce } = await startApp(temporaryHome(), { ...FAMILY, stubborn: true });
    const guard = guardsOf(nonce)[which] ?? 0;
    kill([app.pid ?? 0, guard]);
    expect(await untilNothing(nonce)).not.toBeNull();
  });

  it('S01 app and both guards die: the kernel ends the server, and the next start the rest', async () => {
    const home = temporaryHome();
    const { app, nonce, pid } = await startApp(home, FAMILY);
    const server = processIdentity(pid);
    kill([app.pid ?? 0, ...guardsOf(nonce)]);
    expect(await waitUntil(() => !isAlive(server), 5_000)).not.toBeNull();
    // What escaped has nobody left to end it but the next of us.
    expect(carriers(nonce).length).toBeGreaterThan(0);
    const supervisor = testSupervisor(home);
    expect((await supervisor.status('toad')).state).toBe('lost');
    const next = await supervisor.start(startRequest(standInEngine()));
    expect(carriers(nonce)).toEqual([]);
    await next.stop();
  });

  it('S01 app and the whole group of the server die: what escaped is ended', async () => {
    const { app, nonce, pid } = await startApp(temporaryHome(), FAMILY);
    process.kill(-pid, 'SIGKILL');
    app.kill('SIGKILL');
    expect(await untilNothing(nonce)).not.toBeNull();
  });

  it('S01 only the leader is killed: its children are ended, then it is started again', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const server = await supervisor.start(startRequest(standInEngine(FAMILY)));
    const before = server.pids().map((pid) => processIdentity(pid));
    const ready = Promise.withResolvers<void>();
    server.subscribe(({ state, restarts }) => {
      if (state === 'ready' && restarts === 1) ready.resolve();
    });
    process.kill(server.status().pid ?? 0, 'SIGKILL');
    await ready.promise;
    expect(before.filter(isAlive)).toEqual([]);
    expect(server.status()).toMatchObject({ state: 'ready', restarts: 1, failure: null });
  });

  it('S01 a guard that is killed is replaced', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const server = await supervisor.start(startRequest(standInEngine()));
    const { nonce } = server.access();
    const before = guardsOf(nonce);
    kill(before);
    const replaced = (): boolean => {
      const now = guardsOf(nonce);
      return now.length === 2 && !now.some((pid) => before.includes(pid));
    };
    expect(await waitUntil(replaced, 5_000)).not.toBeNull();
    expect(server.status().state).toBe('ready');
  });
});
