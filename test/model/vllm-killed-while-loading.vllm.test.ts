import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { readRecord, serverFiles } from '../../src-main/models/supervisor/files.ts';
import { guardsOf, waitUntil } from '../../src-main/models/supervisor/testing/home.ts';
import { openVllmHome, processesOf, type VllmHome } from '../support/vllm-home.ts';

const NAME = 'tiny-qwen3';
const USER = path.resolve(import.meta.dirname, '../support/vllm-user.ts');
const LIMIT_MS = 5_000;
/** More of them by hand, on a quiet machine. */
const TRIES = Number(process.env['VIVARIUM_TRIES'] ?? 2);
/** Of the load of a minute: from the first process to the last. */
const LONGEST_MS = 30_000;

let place: VllmHome;

beforeAll(async () => {
  place = await openVllmHome(NAME);
});
afterAll(() => place?.close());

const files = () => serverFiles(place.home, NAME);
const nonceNow = () => readRecord(files())?.proof?.nonce;

/** The nonce of the server that begins to load now. */
async function untilStarted(before: string | undefined): Promise<string> {
  const began = await waitUntil(() => {
    const nonce = nonceNow();
    return nonce !== undefined && nonce !== before && processesOf(nonce).size > 0;
  }, 60_000);
  expect(began).not.toBeNull();
  return nonceNow() ?? '';
}

const isGone = (nonce: string): boolean => processesOf(nonce).size + guardsOf(nonce).length === 0;

it(
  `S01 ${String(TRIES)} times the user or the owner is killed while it loads: nothing is left`,
  async () => {
    const rows: string[] = [];
    for (let round = 0; round < TRIES; round += 1) {
      const before = nonceNow();
      const user = spawn(process.execPath, [USER, place.home, NAME], { stdio: 'ignore' });
      onTestFinished(() => void user.kill('SIGKILL'));
      const nonce = await untilStarted(before);
      const owner = Number(readRecord(files())?.owner?.split('.')[0]);
      // Early and late in turn, so that few rounds see both: before and after it has children.
      const share = ((round % 2) + Math.random()) / 2;
      await sleep(share * LONGEST_MS);
      const { size } = processesOf(nonce);
      const { state } = await place.service.status(NAME);
      // The owner is a process of its own, which is to see that its only user is gone.
      const victim = round % 4 < 2 ? user.pid : owner;
      process.kill(victim ?? 0, 'SIGKILL');
      const tookMs = await waitUntil(() => isGone(nonce), LIMIT_MS);
      const left = [...processesOf(nonce)];
      user.kill('SIGKILL');
      const who = victim === owner ? 'owner' : 'user';
      const seconds = ((share * LONGEST_MS) / 1_000).toFixed(1);
      rows.push(
        `${who} killed after ${seconds} s (${state}, ${String(size)} processes): gone in ${String(Math.round(tookMs ?? NaN))} ms`,
      );
      process.stdout.write(`S01 vLLM, ${rows.at(-1) ?? ''}\n`);
      expect({ row: rows.at(-1), left }).toEqual({ row: rows.at(-1), left: [] });
      expect(tookMs).not.toBeNull();
      // What is dead is seen as that, and is no obstacle to the next.
      await waitUntil(async () => {
        const now = await place.service.status(NAME);
        return now.state === 'stopped' || now.state === 'lost';
      }, LIMIT_MS);
    }
  },
  TRIES * 120_000,
);

it('S01 S06 a keeper is stopped, then another killed, while it loads: nothing is left', async () => {
  const before = nonceNow();
  const starting = place.service.startInBackground(NAME).then(
    () => 'it started',
    (error: unknown) => error,
  );
  const first = await untilStarted(before);
  await sleep(2_000);
  const began = performance.now();
  const stopped = await place.service.stop(NAME);
  const stopMs = Math.round(performance.now() - began);
  expect(stopped.state).toBe('stopped');
  expect(isGone(first) || (await waitUntil(() => isGone(first), 1_000)) !== null).toBe(true);
  expect(await starting).toMatchObject({ code: 'server_not_running' });
  expect(stopMs).toBeLessThan(LIMIT_MS);

  const again = place.service.startInBackground(NAME).then(
    () => 'it started',
    (error: unknown) => error,
  );
  const second = await untilStarted(first);
  await sleep(2_000);
  const owner = Number((await place.service.status(NAME)).owner?.split('.')[0]);
  process.kill(owner, 'SIGKILL');
  const tookMs = await waitUntil(() => isGone(second), LIMIT_MS);
  process.stdout.write(
    `stop ${String(stopMs)} ms, keeper killed ${String(Math.round(tookMs ?? NaN))} ms\n`,
  );
  expect(tookMs).not.toBeNull();
  expect(await again).toMatchObject({ code: 'engine_failed' });
  expect(await place.service.status(NAME)).toMatchObject({ state: 'lost' });
});
