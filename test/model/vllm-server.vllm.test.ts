import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ServerAccess, ServerStatus } from '../../src-main/models/index.ts';
import { createVllmEngine } from '../../src-main/models/engines/vllm/index.ts';
import { createSupervisor } from '../../src-main/models/supervisor/index.ts';
import {
  environmentOf,
  isListening,
  openVllmHome,
  processesOf,
  shareBytes,
  titled,
  USERS_OWN,
  type VllmHome,
} from '../support/vllm-home.ts';

const NAME = 'tiny-qwen3';
const USER = path.resolve(import.meta.dirname, '../support/vllm-user.ts');

let place: VllmHome;
let status: ServerStatus;
let access: ServerAccess;
const progress = new Set<string>();

beforeAll(async () => {
  place = await openVllmHome(NAME);
  status = await place.service.startInBackground(NAME, {
    onStatus: (now) => now.progress !== null && progress.add(now.progress),
  });
  const joined = await createSupervisor({ home: place.home, env: {} }).join(NAME);
  if (joined === null) throw new Error('there is nothing to join');
  access = joined.access;
  joined.release();
}, 600_000);
afterAll(() => place?.close());

const models = (headers: Record<string, string>): Promise<Response> =>
  fetch(`${access.root}/v1/models`, { headers });

/** A process of its own that generates without end; the pid of the server it uses. */
async function startUser(): Promise<{ user: ChildProcess; said: Record<string, unknown> }> {
  const user = spawn(process.execPath, [USER, place.home, NAME], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void user.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: user.stdout }), 'line')) as [string];
  return { user, said: JSON.parse(line) as Record<string, unknown> };
}

describe('a server of the real vLLM, kept in the background', () => {
  it('tells what it does while it loads, and is ready soon after its first answer', async () => {
    // How long the engine itself took over the one token of the proof is part of `ownMs`.
    const { root, key, servedName } = access;
    const signal = AbortSignal.timeout(5_000);
    const figures = await createVllmEngine().figures({ root, key, servedName, signal });
    const tokenMs = Math.round(1_000 * (figures?.firstTokenSecondsSum ?? NaN));
    process.stdout.write(
      `start: ${JSON.stringify({ ...status.timings, tokenMs })}\n${[...progress].join('\n')}\n`,
    );
    expect(status).toMatchObject({
      state: 'ready',
      engine: 'vllm',
      version: '0.32.0+cpu',
      ownerKind: 'keeper',
      contextTokens: 4_096,
      sequences: 2,
      restarts: 0,
      failure: null,
    });
    expect([...progress]).toEqual(
      expect.arrayContaining([
        'starting the engine',
        'starting vLLM 0.32.0',
        'reading the model (Qwen3ForCausalLM)',
        expect.stringMatching(/^loading weights|^weights loaded/),
        expect.stringMatching(/^room for [\d,]+ tokens$/),
      ]),
    );
    expect(status.timings?.ownMs).toBeLessThan(300);
  });

  it('S02 shows our random name, to our key only; another server of ours is foreign', async () => {
    const own = await models({ authorization: `Bearer ${access.key}` });
    const { data } = (await own.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([`${NAME}-${access.nonce}`]);
    expect((await models({ authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await models({})).status).toBe(401);
    const signal = AbortSignal.timeout(5_000);
    const seen = await createVllmEngine().reach({
      ...{ root: access.root, key: access.key, signal },
      servedName: `${NAME}-other`,
    });
    expect(seen).toEqual({
      state: 'foreign',
      detail: `a server answers there that serves ${NAME}-${access.nonce}`,
    });
  });

  it('lets no page of a browser in', async () => {
    const headers = { authorization: `Bearer ${access.key}`, origin: 'http://example.org' };
    expect((await models(headers)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('S08 nothing of the user reaches any of its processes, by its real environment', () => {
    const pids = [...processesOf(access.nonce).keys()];
    expect(pids.length).toBeGreaterThanOrEqual(3);
    for (const pid of pids) {
      const variables = environmentOf(pid);
      for (const [name, value] of Object.entries(USERS_OWN)) {
        // What vLLM sets for itself is its own.
        expect(variables.get(name), `${name} of ${String(pid)}`).not.toBe(value);
      }
      expect(variables.get('NO_PROXY')).toBe('127.0.0.1,localhost,::1');
      expect(variables.get('HF_HUB_OFFLINE')).toBe('1');
      expect(variables.get('HOME')).toBe(process.env['HOME']);
    }
  });

  it('takes the memory that was estimated; the share of each process counts', async () => {
    // Measured right after it is ready, which holds nobody up.
    await expect
      .poll(async () => (await place.service.status(NAME)).memory, { timeout: 20_000 })
      .not.toBeNull();
    const { memory } = await place.service.status(NAME);
    const now = shareBytes(processesOf(access.nonce).keys());
    process.stdout.write(`memory: ${JSON.stringify(memory)}, now ${String(now)}\n`);
    expect(memory?.ratio).toBeGreaterThan(0.85);
    expect(memory?.ratio).toBeLessThan(1.15);
  });

  it('answers through the model that fix takes, and its figures show it', async () => {
    const served = await place.service.use(NAME);
    onTestFinished(() => served.close());
    expect(served).toMatchObject({
      started: false,
      pid: status.pid,
      info: { engine: 'vllm', contextTokens: 4_096 },
    });
    const before = Date.now();
    let pieces = 0;
    const { usage, timings, finish } = await served.chat.complete({
      messages: [{ role: 'user', content: 'Say something long.' }],
      tools: [],
      sampling: { temperature: 1, seed: 1 },
      maxTokens: 40,
      onDelta: () => (pieces += 1),
    });
    expect(['cut', 'stop', 'calls']).toContain(finish);
    expect(pieces).toBeGreaterThan(0);
    expect(usage.promptTokens).toBeGreaterThan(0);
    expect(usage.completionTokens).toBeGreaterThan(0);
    expect(timings.firstTokenMs).toBeGreaterThan(0);
    await expect
      .poll(() => place.latest(NAME)?.figures?.generatedTokens, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(1 + (usage.completionTokens ?? 0));
    const sample = place.latest(NAME);
    expect(sample?.at).toBeGreaterThan(before);
    expect(sample?.figures).toMatchObject({ running: 0, waiting: 0 });
    expect(sample?.figures?.kvUsed).toBeGreaterThanOrEqual(0);
    expect(sample?.figures?.kvUsed).toBeLessThan(1);
    expect(sample?.figures?.promptTokens).toBeGreaterThan(usage.promptTokens ?? 0);
    // The probe of the start, and this.
    expect(sample?.figures?.firstTokenCount).toBe(2);
    expect(sample?.figures?.firstTokenSecondsSum).toBeGreaterThan(0);
    const shares = shareBytes(processesOf(access.nonce).keys());
    expect((sample?.memoryBytes ?? 0) / shares).toBeGreaterThan(0.9);
    expect((sample?.memoryBytes ?? 0) / shares).toBeLessThan(1.1);
    expect(await served.memoryBytes?.()).toBe(place.latest(NAME)?.memoryBytes);
  });

  it('makes a call where one is required: the grammar leaves random weights no choice', async () => {
    const look = {
      name: 'look',
      strict: true,
      description: 'Looks at a floor.',
      parameters: {
        type: 'object',
        properties: { floor: { type: 'integer', minimum: 0, maximum: 9 } },
        required: ['floor'],
        additionalProperties: false,
      },
    };
    const answer = await fetch(`${access.root}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${access.key}`,
      },
      body: JSON.stringify({
        model: access.servedName,
        messages: [{ role: 'user', content: 'Which floor?' }],
        tools: [{ type: 'function', function: look }],
        tool_choice: 'required',
        max_tokens: 200,
        seed: 1,
      }),
    });
    const { choices } = (await answer.json()) as {
      choices: { message: { tool_calls: { function: { name: string; arguments: string } }[] } }[];
    };
    const call = choices[0]?.message.tool_calls[0]?.function;
    expect(call?.name).toBe('look');
    const { floor, ...more } = JSON.parse(call?.arguments ?? '{}') as Record<string, unknown>;
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(floor);
    expect(more).toEqual({});
  });

  it('gives the tokens of a turn, as many as it counts', async () => {
    const served = await place.service.use(NAME);
    onTestFinished(() => served.close());
    const { tokens, usage } = await served.chat.complete({
      messages: [{ role: 'user', content: 'Say something long.' }],
      tools: [],
      sampling: { temperature: 1, seed: 2 },
      ...{ maxTokens: 40, wantsTokens: true },
    });
    expect(tokens?.prompt).toHaveLength(usage.promptTokens ?? Number.NaN);
    expect(tokens?.completion).toHaveLength(usage.completionTokens ?? Number.NaN);
    expect(tokens?.logprobs).toHaveLength(usage.completionTokens ?? Number.NaN);
    expect(Math.max(...(tokens?.logprobs ?? []))).toBeLessThanOrEqual(0);
  });

  it('S06 a second start finds it, and a second owner is refused', async () => {
    // The request of the test before may still be counted.
    await expect
      .poll(async () => (await place.service.status(NAME)).state, { timeout: 10_000 })
      .toBe('ready');
    const again = await place.service.startInBackground(NAME);
    expect(again).toMatchObject({ state: 'ready', pid: status.pid, owner: status.owner });
    const keep = place.service.keep(NAME);
    await expect(keep).rejects.toMatchObject({ code: 'server_running' });
    expect((await place.service.status(NAME)).pid).toBe(status.pid);
  });

  it('is joined by another process; its end leaves the server; a stop is refused while it works', async () => {
    const { user, said } = await startUser();
    expect(said).toEqual({ started: false, pid: status.pid });
    await expect
      .poll(async () => (await place.service.status(NAME)).users, { timeout: 5_000 })
      .toBe(1);
    await expect.poll(() => place.latest(NAME)?.figures?.running, { timeout: 20_000 }).toBe(1);
    expect(await place.service.status(NAME)).toMatchObject({ state: 'busy' });
    await expect(place.service.stop(NAME)).rejects.toMatchObject({
      code: 'server_running',
      message: expect.stringContaining(String(user.pid)) as string,
    });
    user.kill('SIGKILL');
    await once(user, 'exit');
    await expect
      .poll(async () => await place.service.status(NAME), { timeout: 20_000 })
      .toMatchObject({ state: 'ready', users: 0, pid: status.pid });
  });

  it('S06 stopped while it generates: told so, all gone and the port free within 5 s', async () => {
    const served = await place.service.use(NAME);
    onTestFinished(() => served.close());
    const generating = Promise.withResolvers<void>();
    const answers: string[] = [];
    // Random weights may end a reply at any token: another one follows.
    const generate = async (): Promise<never> => {
      for (;;) {
        const { finish, usage } = await served.chat.complete({
          messages: [{ role: 'user', content: 'Count to a million.' }],
          tools: [],
          sampling: { temperature: 1 },
          maxTokens: 3_000,
          onDelta: () => generating.resolve(),
        });
        answers.push(`${finish} after ${String(usage.completionTokens)}`);
      }
    };
    const ended = generate().catch((error: unknown) => error);
    await generating.promise;
    titled(access.nonce, 'VLLM::EngineCore');
    const began = performance.now();
    const stopped = await place.service.stop(NAME, { force: true });
    const tookMs = performance.now() - began;
    process.stdout.write(`stop while generating: ${Math.round(tookMs)} ms; ${answers.join()}\n`);
    expect(stopped.state).toBe('stopped');
    expect([...processesOf(access.nonce)]).toEqual([]);
    expect(isListening(Number(new URL(access.root).port))).toBe(false);
    expect(tookMs).toBeLessThan(5_000);
    expect(await ended).toMatchObject({ code: 'server_not_running' });
    // Twice is an error that says so, not a second stop.
    await expect(place.service.stop(NAME)).rejects.toMatchObject({ code: 'server_not_running' });
  });
});
