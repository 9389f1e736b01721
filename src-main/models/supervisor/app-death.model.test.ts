import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carriers, guardsOf, temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { llamaCppRequest } from './testing/real-request.ts';

const APP = fileURLToPath(new URL('./testing/real-app.ts', import.meta.url));
const TRIES = 20;
const LIMIT_MS = 5_000;

describe('llama.cpp under the supervisor', () => {
  it(`S01 ${TRIES} times killed with kill -9 while it generates: nothing is left`, async () => {
    const home = temporaryHome();
    const tookMs: number[] = [];
    for (let round = 0; round < TRIES; round += 1) {
      const app = spawn(process.execPath, [APP, home], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void app.kill('SIGKILL'));
      const line = await new Promise<string>((resolve) => {
        createInterface({ input: app.stdout }).once('line', resolve);
      });
      const { nonce } = JSON.parse(line) as { nonce: string };
      expect(carriers(nonce)).toHaveLength(1);
      // At another moment of the generation each time.
      await new Promise((resolve) => setTimeout(resolve, round * 25));
      app.kill('SIGKILL');
      const nothing = (): boolean => carriers(nonce).length + guardsOf(nonce).length === 0;
      tookMs.push(Math.round((await waitUntil(nothing, LIMIT_MS)) ?? Infinity));
    }
    process.stdout.write(`S01 llama.cpp, until nothing is left: ${tookMs.join(' ')} ms\n`);
    expect(Math.max(...tookMs)).toBeLessThan(LIMIT_MS);
  });

  it('adds little to the start: ready soon after the first answer', async () => {
    const supervisor = testSupervisor(temporaryHome());
    const server = await supervisor.start(llamaCppRequest());
    const { timings } = server.status();
    process.stdout.write(`own part of the start: ${JSON.stringify(timings)}\n`);
    expect(timings?.ownMs).toBeLessThan(timings?.readyMs ?? 0);
    const before = performance.now();
    await server.stop();
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(server.pids()).toEqual([]);
  });
});
