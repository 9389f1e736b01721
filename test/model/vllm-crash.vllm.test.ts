import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OwnedServer, Supervisor } from '../../src-main/models/index.ts';
import { useOwned } from '../../src-main/models/service/owned-use.ts';
import { servedModel } from '../../src-main/models/service/served.ts';
import { createSupervisor } from '../../src-main/models/supervisor/index.ts';
import { forcedStart, type Forced } from '../support/vllm-forced.ts';
import { openVllmHome, processesOf, titled, type VllmHome } from '../support/vllm-home.ts';

const NAME = 'tiny-qwen3';
const MINUTES = 60_000;

let place: VllmHome;
let supervisor: Supervisor;
let start: Forced;
let server: OwnedServer;

beforeAll(async () => {
  place = await openVllmHome(NAME);
  const limits = { restarts: 1 };
  supervisor = createSupervisor({ home: place.home, env: place.config.env, limits });
});
afterAll(async () => {
  await supervisor?.close();
  await place?.close();
});

/** Takes the port before the server can: it was free when it was picked. */
function takePort(foreign: Server, port: number): void {
  foreign.listen(port, '127.0.0.1');
}

/** Answers everything with 200, as some other model server. */
function otherModelServer(): Server {
  return createHttpServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'other', object: 'model' }] }));
  });
}

/** Says nothing: only vLLM itself finds that the port is taken. */
function muteServer(): Server {
  return createTcpServer((socket) => socket.destroy());
}

describe('a start that needs more than one try', () => {
  it(
    'S02 S03 two ports taken since they were picked, then a context beyond the model: it adapts',
    async () => {
      const foreign = [otherModelServer(), muteServer()];
      const answered: number[] = [];
      foreign[0]?.on('request', () => answered.push(1));
      onTestFinished(() => foreign.forEach((each) => void each.close()));
      start = await forcedStart(place, NAME, { contextTokens: 10_000 }, ({ port }, launch) => {
        const next = foreign[launch - 1];
        if (next !== undefined) takePort(next, port);
      });
      server = await supervisor.start(start);
      const said = start.shown
        .map(({ progress }) => progress)
        .filter((progress, at, all) => progress !== all[at - 1]);
      process.stdout.write(`${said.join('\n')}\n${JSON.stringify(server.status().timings)}\n`);
      expect(answered.length).toBeGreaterThan(0);
      const ports = start.launches.map(({ port }) => port);
      expect(ports).toHaveLength(4);
      // A port that is free is kept.
      expect(new Set(ports.slice(0, 3)).size).toBe(3);
      expect(start.launches.map(({ plan }) => plan.contextTokens)).toEqual([
        10_000, 10_000, 10_000, 8_192,
      ]);
      expect(said.filter((progress) => progress === 'trying another port')).toHaveLength(2);
      const causes = new Set(start.shown.map(({ failure }) => failure?.cause));
      expect([...causes]).toEqual(
        expect.arrayContaining([
          `Another program answers on port ${String(ports[0])}.`,
          'The port was taken by another program in the meantime.',
          'The model was made for 8,192 tokens; the profile asks for 10,000.',
        ]),
      );
      expect(said).toContain(
        'trying with a context of 8192 instead of 10000 tokens: The model was made for 8,192 tokens; the profile asks for 10,000.',
      );
      expect(server.status()).toMatchObject({
        state: 'ready',
        contextTokens: 8_192,
        restarts: 0,
        failure: null,
        address: `http://127.0.0.1:${String(ports[3])}`,
      });
    },
    10 * MINUTES,
  );
});

describe('a server that crashes', () => {
  it(
    'S01 is started again once when its worker is killed; the request goes on by itself',
    async () => {
      const { profile, model } = start;
      const release = (): Promise<void> => Promise.resolve();
      const use = useOwned(server, { memoryBytes: () => Promise.resolve(null), release });
      const { chat } = servedModel(use, server.status(), { profile, model, started: true });
      const { nonce } = server.access();
      const before = [...processesOf(nonce).keys()];
      const restarts: string[] = [];
      // Held, so that the request cannot be answered before the worker dies.
      const worker = titled(nonce, 'VLLM::Worker');
      process.kill(worker, 'SIGSTOP');
      const asked = chat.complete({
        messages: [{ role: 'user', content: 'Count to a million.' }],
        tools: [],
        sampling: { temperature: 1, seed: 3 },
        maxTokens: 300,
        onDelta: (delta) => delta.kind === 'restart' && restarts.push(delta.reason),
      });
      await expect.poll(() => server.status().state).toBe('busy');
      await sleep(500);
      process.kill(worker, 'SIGKILL');
      const answer = await asked;
      process.stdout.write(
        `after the crash: ${JSON.stringify(answer.usage)}, ${restarts.join()}\n`,
      );
      expect(restarts).toContain('the model server ended');
      expect(answer.usage.completionTokens).toBeGreaterThan(0);
      expect(server.status()).toMatchObject({ restarts: 1, failure: null });
      const after = new Set(processesOf(nonce).keys());
      expect(before.filter((pid) => after.has(pid))).toEqual([]);
      const waits = start.shown.map(({ progress }) => progress ?? '');
      expect(waits.some((text) => /^starting again in [12] s: /.test(text))).toBe(true);
      expect(start.launches).toHaveLength(5);
    },
    10 * MINUTES,
  );

  it('S01 has failed for good when that is all that is allowed; nothing is left in 5 s', async () => {
    const { nonce } = server.access();
    const began = performance.now();
    process.kill(titled(nonce, 'VLLM::EngineCore'), 'SIGKILL');
    const status = await server.ended;
    const tookMs = performance.now() - began;
    process.stdout.write(`${JSON.stringify(status.failure)} ${String(Math.round(tookMs))} ms\n`);
    expect([...processesOf(nonce)]).toEqual([]);
    expect(status).toMatchObject({ state: 'failed', restarts: 1, pid: null });
    expect(status.failure).toMatchObject({ deterministic: false });
    expect(start.launches).toHaveLength(5);
    expect(tookMs).toBeLessThan(5_000);
  });
});
