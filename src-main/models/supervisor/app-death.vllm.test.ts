import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testVllm } from '../../../test/support/vllm.ts';
import { isAlive, processIdentity } from '../../lib/index.ts';
import type { OwnedServer } from '../servers/types.ts';
import { createSupervisor } from './index.ts';
import { carriers, guardsOf, waitUntil } from './testing/home.ts';
import { vllmRequest, type VllmPlaces } from './testing/real-request.ts';

const APP = fileURLToPath(new URL('./testing/real-app.ts', import.meta.url));
/** A start of vLLM takes most of a minute; the full count is for a quiet machine. */
const TRIES = Number(process.env['VIVARIUM_TRIES'] ?? 2);
const LIMIT_MS = 5_000;

let home = '';
let places: VllmPlaces;

beforeAll(() => {
  const { venv, qwen3 } = testVllm();
  places = { venv, model: qwen3 };
  home = mkdtempSync(join(tmpdir(), 'vivarium-vllm-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Its processes by the title each gave itself. */
function titled(pids: readonly number[], title: string): number[] {
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(title);
    } catch {
      return false;
    }
  });
}

function nothingOf(nonce: string): boolean {
  return carriers(nonce).length + guardsOf(nonce).length === 0;
}

async function untilReadyAgain(server: OwnedServer, restarts: number): Promise<void> {
  const again = (): boolean => {
    const status = server.status();
    if (status.state === 'failed') throw new Error(status.failure?.cause);
    return status.restarts === restarts && status.state === 'ready';
  };
  expect(await waitUntil(again, 300_000)).not.toBeNull();
}

async function startApp(): Promise<{ app: ChildProcess; nonce: string }> {
  const app = spawn(process.execPath, [APP, home, JSON.stringify(places)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: app.stdout }).once('line', resolve);
    app.once('exit', (code) => reject(new Error(`The app ended with ${String(code)}.`)));
  });
  const { nonce, timings } = JSON.parse(line) as { nonce: string; timings: object };
  process.stdout.write(`vLLM: ${JSON.stringify(timings)}\n`);
  return { app, nonce };
}

describe('vLLM under the supervisor', () => {
  it(`S01 ${TRIES} times the app is killed with kill -9: nothing is left`, async () => {
    const tookMs: number[] = [];
    for (let round = 0; round < TRIES; round += 1) {
      const { app, nonce } = await startApp();
      // Its API server, its engine, and a helper of Python's: all keep our mark.
      const pids = carriers(nonce);
      expect(titled(pids, 'VLLM::EngineCore')).toHaveLength(1);
      const alive = pids.map((pid) => processIdentity(pid));
      app.kill('SIGKILL');
      tookMs.push(Math.round((await waitUntil(() => nothingOf(nonce), LIMIT_MS)) ?? Infinity));
      expect(alive.filter(isAlive)).toEqual([]);
    }
    process.stdout.write(`S01 vLLM, until nothing is left: ${tookMs.join(' ')} ms\n`);
    expect(Math.max(...tookMs)).toBeLessThan(LIMIT_MS);
  });

  it('S01 app and both guards are killed: the kernel asks vLLM to end, and it takes its engine along', async () => {
    const { app, nonce } = await startApp();
    for (const pid of [app.pid ?? 0, ...guardsOf(nonce)]) process.kill(pid, 'SIGKILL');
    const tookMs = await waitUntil(() => nothingOf(nonce), LIMIT_MS);
    process.stdout.write(`S01 vLLM without guards: ${String(Math.round(tookMs ?? Infinity))} ms\n`);
    expect(tookMs).not.toBeNull();
  });

  it('S01 killed parts take the rest along: API server, then engine; stop leaves nothing', async () => {
    const supervisor = createSupervisor({ home, env: process.env });
    onTestFinished(() => supervisor.close());
    const server = await supervisor.start(vllmRequest(places));
    const { nonce } = server.access();
    const first = server.pids().map((pid) => processIdentity(pid));
    const [core = 0] = titled(carriers(nonce), 'VLLM::EngineCore');
    process.kill(server.status().pid ?? 0, 'SIGKILL');
    const coreName = processIdentity(core);
    // Alone it would keep its memory, with nobody left who could stop it (vllm#55510).
    expect(await waitUntil(() => !isAlive(coreName), LIMIT_MS)).not.toBeNull();
    await untilReadyAgain(server, 1);
    expect(first.filter(isAlive)).toEqual([]);
    const [secondCore = 0] = titled(carriers(nonce), 'VLLM::EngineCore');
    process.kill(secondCore, 'SIGKILL');
    await untilReadyAgain(server, 2);
    const before = performance.now();
    await server.stop();
    process.stdout.write(`stop of vLLM: ${Math.round(performance.now() - before)} ms\n`);
    expect(performance.now() - before).toBeLessThan(LIMIT_MS);
    expect(await waitUntil(() => nothingOf(nonce), LIMIT_MS)).not.toBeNull();
  });
});
