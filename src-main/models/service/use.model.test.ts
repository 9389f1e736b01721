import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { processIdentity } from '../../lib/index.ts';
import { TADPOLE } from '../engines/llamacpp/testing.ts';
import type { ServedModel } from '../servers/types.ts';
import { otherUsers } from '../supervisor/index.ts';
import type { CompletionDelta } from '../types.ts';
import { request } from '../testing/chat.ts';
import { temporaryService } from './testing.ts';
import type { ModelService } from './types.ts';

const MAIN = resolve(import.meta.dirname, '../../doors/cli/main.ts');

/** A service whose servers are kept by the real command, in processes of their own. */
async function withTadpole(
  keepers: boolean,
): Promise<{ service: ModelService; home: string; second: () => ModelService }> {
  const keeperCommand = keepers ? [process.execPath, MAIN, 'models', 'keep'] : [];
  const { service, config } = temporaryService({ keeperCommand });
  await service.add(TADPOLE);
  await service.profiles.set('tadpole', { idleMinutes: null });
  const second = (): ModelService => temporaryService(config).service;
  return { service, home: config.home, second };
}

const state = async (service: ModelService): Promise<string> =>
  (await service.status('tadpole')).state;

async function until(service: ModelService, wanted: string, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await state(service)) !== wanted) {
    if (performance.now() > deadline) throw new Error(`it is ${await state(service)}`);
    await sleep(50);
  }
}

/** Kills the server while it has a request; returns the kinds of pieces that were told. */
async function killUnder({ chat }: ServedModel, service: ModelService): Promise<string[]> {
  const told: string[] = [];
  const { pid } = await service.status('tadpole');
  if (pid === null) throw new Error('it does not run');
  // It answers nothing any more, however fast it is.
  process.kill(pid, 'SIGSTOP');
  const onDelta = ({ kind }: CompletionDelta): void => void told.push(kind);
  const asking = chat.complete(request({ maxTokens: 8, onDelta }));
  await sleep(200);
  process.kill(pid, 'SIGKILL');
  expect((await asking).usage.completionTokens).toBeGreaterThan(0);
  return told;
}

test.each([
  ['of a process of its own', true],
  ['of this process', false],
])(
  'a server %s that is killed under a request is followed to its next start',
  async (_, keepers) => {
    const { service } = await withTadpole(keepers);
    const served = await service.use('tadpole');
    expect(served).toMatchObject({ started: true, info: { engine: 'llamacpp', spec: 'tadpole' } });
    const told = await killUnder(served, service);
    expect(told.at(-1)).not.toBe('restart');
    expect(await service.status('tadpole')).toMatchObject({ restarts: 1 });
    await served.close();
    expect(await state(service)).toBe('stopped');
  },
);

test('two that start it at the same moment share one server; it ends with the last', async () => {
  const { service, home, second } = await withTadpole(true);
  const other = second();
  const both = await Promise.all([service.use('tadpole'), other.use('tadpole')]);
  expect(both.filter(({ started }) => started)).toHaveLength(1);
  expect(new Set(both.map(({ pid }) => pid)).size).toBe(1);
  const [first, last] = both[0].started ? both : both.toReversed();
  await first?.close();
  const reply = await last?.chat.complete(request({ maxTokens: 8 }));
  expect(reply?.usage.completionTokens).toBeGreaterThan(0);
  expect((await service.status('tadpole')).ownerKind).toBe('app');
  await last?.close();
  await until(service, 'stopped');
  expect(otherUsers(home, 'tadpole')).toEqual([]);
});

test('in this process: whoever joined it is waited for before it ends', async () => {
  const { service, home } = await withTadpole(false);
  const served = await service.use('tadpole');
  const other = spawn('sleep', ['60']);
  onTestFinished(() => void other.kill());
  // The lease of another living process, as it would have written it.
  const user = { identity: processIdentity(other.pid), inFlight: 0 };
  writeFileSync(join(home, 'servers', 'tadpole', 'users', 'other'), JSON.stringify(user));
  const closing = served.close();
  await sleep(300);
  expect(await state(service)).toBe('ready');
  await expect(service.stop('tadpole')).rejects.toMatchObject({
    code: 'server_running',
    message: `the server of tadpole is in use by process ${other.pid}`,
  });
  other.kill();
  await closing;
  expect(await state(service)).toBe('stopped');
});

test('S06 two background starts at once: one server, and both are told that it is ready', async () => {
  const { service, second } = await withTadpole(true);
  const other = second();
  const both = await Promise.all([
    service.startInBackground('tadpole'),
    other.startInBackground('tadpole'),
  ]);
  expect(new Set(both.map(({ pid }) => pid)).size).toBe(1);
  expect(both.map((status) => status.state)).toEqual(['ready', 'ready']);
  const looked = await service.use('tadpole');
  expect([looked.started, looked.pid]).toEqual([false, both[0].pid]);
  await looked.close();
  expect(await state(service)).toBe('ready');
  await service.stop('tadpole');
});

test('S06 an abort while it loads: nothing is left, whoever else waits starts it', async () => {
  const { service, home, second } = await withTadpole(true);
  const cancel = new AbortController();
  const starting = service.use('tadpole', {
    signal: cancel.signal,
    onStatus: (status) => {
      if (status.pid !== null) cancel.abort(new Error('Ctrl-C'));
    },
  });
  const waiting = second().use('tadpole');
  await expect(starting).rejects.toThrow('Ctrl-C');
  const served = await waiting;
  expect(await state(service)).toBe('ready');
  await served.close();
  await until(service, 'stopped');
  expect(otherUsers(home, 'tadpole')).toEqual([]);
});

test('logs, and what is cleaned, of a server that ran', async () => {
  const { service, home } = await withTadpole(true);
  const { logFile } = await service.startInBackground('tadpole');
  expect(logFile).toBe(join(home, 'servers', 'tadpole', 'logs', 'server.log'));
  const { signal } = new AbortController();
  const lines: string[] = [];
  const options = { lines: 500, follow: false, everyMs: 100, signal };
  for await (const more of service.logs('tadpole', options)) lines.push(...more);
  expect(lines.some((line) => line.startsWith('vivarium: listening on http://'))).toBe(true);
  await service.stop('tadpole');
  await service.library.remove('tadpole');
  expect(await service.clean()).toEqual({ ended: [], forgotten: ['tadpole'] });
});
