import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickPort } from '../../src-main/models/supervisor/ports.ts';
import { testVllm, type TestVllm } from '../support/vllm.ts';

const SERVED = 'tiny-of-this-test';

let vllm: TestVllm;
let state: string;
let server: ChildProcess;
let log = '';
let base: string;

/** Only what vLLM needs: nothing of this machine's Python settings reaches it. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: state,
    HF_HUB_OFFLINE: '1',
    TRANSFORMERS_OFFLINE: '1',
    VLLM_NO_USAGE_STATS: '1',
    VLLM_DO_NOT_TRACK: '1',
    VLLM_CACHE_ROOT: path.join(state, 'cache'),
    VLLM_CPU_KVCACHE_SPACE: '1',
  };
}

async function get(where: string): Promise<Response> {
  return fetch(`${base}${where}`);
}

async function untilReady(): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`vLLM ended:\n${log.slice(-3000)}`);
    const answer = await get('/health').catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(200);
  }
}

/** @returns the commands of the processes that are in the server's group. */
function groupOf(pid: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // After the name in brackets: state, parent, group.
        const group = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2];
        if (Number(group) !== pid) return [];
        return [readFileSync(`/proc/${name}/comm`, 'utf8').trim()];
      } catch {
        return []; // It ended while we looked.
      }
    });
}

beforeAll(async () => {
  vllm = testVllm();
  state = mkdtempSync(path.join(os.tmpdir(), 'vivarium-vllm-'));
  const port = await pickPort();
  base = `http://127.0.0.1:${port}`;
  server = spawn(
    vllm.program,
    [
      ...['serve', vllm.qwen3, '--host', '127.0.0.1', '--port', String(port)],
      ...['--served-model-name', SERVED, '--enforce-eager', '--max-num-seqs', '4'],
      ...['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
      ...['--reasoning-parser', 'qwen3', '--enable-prompt-tokens-details'],
    ],
    { env: environment(), detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const keep = (chunk: Buffer) => (log += chunk.toString());
  server.stdout?.on('data', keep);
  server.stderr?.on('data', keep);
  await untilReady();
});

afterAll(() => {
  if (server?.pid !== undefined && groupOf(server.pid).length > 0) {
    process.kill(-server.pid, 'SIGKILL');
  }
  rmSync(state, { recursive: true, force: true });
});

interface Answer {
  choices: { message: { tool_calls: { function: { name: string; arguments: string } }[] } }[];
}

const LOOK = {
  type: 'function',
  function: {
    name: 'look',
    // Without it vLLM constrains the call's frame and lets any JSON be its arguments.
    strict: true,
    description: 'Looks at a floor.',
    parameters: {
      type: 'object',
      properties: {
        floor: { type: 'integer', minimum: 0, maximum: 9 },
        side: { type: 'string', enum: ['left', 'right'] },
      },
      required: ['floor', 'side'],
      additionalProperties: false,
    },
  },
};

describe('the real vLLM of the tests', () => {
  it('serves under the name it was given', async () => {
    expect(await (await get('/v1/models')).json()).toMatchObject({
      data: [{ id: SERVED, max_model_len: 8192, root: vllm.qwen3 }],
    });
    expect(await (await get('/version')).json()).toEqual({ version: '0.32.0' });
  });

  it('makes a call by the schema, though its model has learnt nothing', async () => {
    const answer = await fetch(`${base}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: SERVED,
        messages: [{ role: 'user', content: 'Which floor?' }],
        tools: [LOOK],
        tool_choice: 'required',
        max_tokens: 200,
        chat_template_kwargs: { enable_thinking: false },
      }),
    });
    expect(answer.status).toBe(200);
    const { choices } = (await answer.json()) as Answer;
    const call = choices[0]?.message.tool_calls[0]?.function;
    expect(call?.name).toBe('look');
    const { floor, side, ...more } = JSON.parse(call?.arguments ?? '{}');
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(floor);
    expect(['left', 'right']).toContain(side);
    expect(more).toEqual({});
    const metrics = await (await get('/metrics')).text();
    expect(metrics).toMatch(new RegExp(`vllm:prompt_tokens_total\\{.*"${SERVED}"\\} [1-9]`));
  });

  it('is a family of processes that ends whole on SIGTERM', async () => {
    const pid = server.pid ?? 0;
    expect(groupOf(pid)).toEqual(expect.arrayContaining(['VLLM::EngineCor', 'VLLM::Worker']));
    const ended = once(server, 'close');
    process.kill(pid, 'SIGTERM');
    expect(await ended).toEqual([0, null]);
    // Python's own tracker of shared memory ends a moment after the one it watches.
    await expect.poll(() => groupOf(pid), { timeout: 5000 }).toEqual([]);
  });
});
