import { request } from 'node:http';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchInput } from '../../testing/launch.ts';
import { startServer, type StartedServer } from '../../testing/llamacpp-server.ts';
import { createLlamaCppEngine } from './server-engine.ts';
import { isRunning, SMOLLM, TADPOLE_SYSTEM, temporaryFolder, TOOLS, waitUntil } from './testing.ts';

const engine = createLlamaCppEngine();
const INPUT = launchInput();
const WIRE_TOOLS = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const OPENING = [
  { role: 'system', content: TADPOLE_SYSTEM },
  { role: 'user', content: 'Bug in stats.py: `largest([3, 8, 5])` returns 3, expected 8.' },
];

let server: StartedServer;
beforeAll(async () => {
  server = await startServer(INPUT);
});
afterAll(() => server.stop());

const isReady = (message: unknown): boolean => (message as { kind?: string }).kind === 'ready';

async function waitFor(condition: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

interface Reply {
  status: number;
  choices: { message: { content: string; tool_calls?: unknown[] }; finish_reason: string }[];
  usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } };
  timings: Record<string, number>;
  error?: { message: string };
}

async function post(body: object): Promise<Reply> {
  const response = await fetch(`${server.root}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INPUT.key}` },
    body: JSON.stringify({ temperature: 0, ...body }),
  });
  return { ...((await response.json()) as Reply), status: response.status };
}

describe('our llama.cpp server under the engine', () => {
  it('tells its way to readiness by message and by line', async () => {
    const port = Number(new URL(server.root).port);
    await waitUntil(() => server.messages.some((message) => isReady(message)), 5_000);
    expect(server.messages.at(-1)).toMatchObject({ kind: 'ready', port, contextTokens: 2_048 });
    const progress = server.lines.flatMap((line) => engine.readLine(line).progress ?? []);
    expect(progress).toContain('loading the model: 100 %');
    // The native log comes on its own queue and may be late.
    expect(progress).toContain('listening');
    expect(server.lines.join('\n')).not.toContain(`Bearer ${INPUT.key}`);
  });

  it('S02 is ready under its own name and key only', async () => {
    expect(await engine.reach(server.reach())).toMatchObject({
      state: 'ready',
      contextTokens: 2_048,
      details: { architecture: 'qwen3', gpu: 'none', parallel: 1 },
    });
    expect(await engine.reach(server.reach({ servedName: 'tadpole-other' }))).toMatchObject({
      state: 'foreign',
    });
    expect(await engine.reach(server.reach({ key: 'wrong' }))).toMatchObject({ state: 'foreign' });
  });

  it('tells its figures to who has the key', async () => {
    const before = await engine.figures(server.reach());
    const { usage } = await post({ messages: OPENING, tools: WIRE_TOOLS, max_tokens: 40 });
    const after = await engine.figures(server.reach());
    expect(after).toMatchObject({
      running: 0,
      waiting: 0,
      promptTokens: (before?.promptTokens ?? 0) + usage.prompt_tokens,
      cacheHitTokens: (before?.cacheHitTokens ?? 0) + usage.prompt_tokens_details.cached_tokens,
      firstTokenCount: (before?.firstTokenCount ?? 0) + 1,
    });
    expect(after?.kvUsed).toBeCloseTo(
      (usage.prompt_tokens + (after?.generatedTokens ?? 0) - (before?.generatedTokens ?? 0)) /
        2_048,
      2,
    );
    expect(await engine.figures(server.reach({ key: 'wrong' }))).toBeNull();
  });

  it('tells who is served and who waits, and answers a probe meanwhile', async () => {
    const cancel = new AbortController();
    const endless = { messages: [{ role: 'user', content: '1, 2, 3, 4,' }], temperature: 0 };
    const running = [1, 2].map(() =>
      fetch(`${server.root}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INPUT.key}` },
        body: JSON.stringify({ ...endless, max_tokens: 1_900 }),
        signal: cancel.signal,
      }).catch((error: unknown) => error),
    );
    const seen = await waitFor(async () => {
      const figures = await engine.figures(server.reach());
      return figures?.running === 1 && figures.waiting === 1;
    });
    expect(seen).toBe(true);
    const probe = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    expect((await post(probe)).status).toBe(200);
    expect(await engine.figures(server.reach())).toMatchObject({ running: 1, waiting: 1 });
    cancel.abort();
    await Promise.all(running);
    const idle = await waitFor(async () => {
      const figures = await engine.figures(server.reach());
      return figures?.running === 0 && figures.waiting === 0;
    });
    expect(idle).toBe(true);
  });

  it('S05 answers a probe of one token at once, and no conversation loses its memory', async () => {
    const first = await post({ messages: OPENING, max_tokens: 30 });
    const figures = await engine.figures(server.reach());
    const probe = await post({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 });
    expect(probe.status).toBe(200);
    expect(await engine.figures(server.reach())).toEqual(figures);
    const again = await post({ messages: OPENING, max_tokens: 30 });
    expect(again.choices).toEqual(first.choices);
    expect(again.timings['prompt_n']).toBe(1);
  });

  it('answers programs that name its own address, and no web page', async () => {
    const ask = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${server.root}/health`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end();
      });
    const { port } = new URL(server.root);
    expect(await ask({})).toBe(200);
    expect(await ask({ host: `localhost:${port}` })).toBe(200);
    expect(await ask({ host: `[::1]:${port}` })).toBe(200);
    expect(await ask({ host: `evil.example:${port}` })).toBe(403);
    expect(await ask({ host: '127.0.0.1:1' })).toBe(403);
    expect(await ask({ origin: 'http://evil.example' })).toBe(403);
    expect(await ask({ origin: 'null' })).toBe(403);
    const { headers } = await fetch(`${server.root}/health`);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('calls that a request demands', () => {
  const chat = { messages: [{ role: 'user', content: 'Tell me a story.' }], tools: WIRE_TOOLS };
  const required = { tool_choice: 'required', parallel_tool_calls: false, max_tokens: 400 };
  const hot = [1, 2, 3].map((seed) => ({ ...chat, ...required, temperature: 1.5, seed }));

  it('are made with tool_choice required, at any temperature', async () => {
    for (const body of hot) {
      const { choices } = await post({ ...body, messages: OPENING });
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          content: '',
          tool_calls: [{ function: { name: expect.any(String) as string } }],
        },
      });
    }
  });

  it('are at least begun with tool_choice required, whatever was said', async () => {
    const begun = /^<tool_call>\n\{"name": "(?:Read|Edit|Bash)", "arguments": \{/u;
    for (const body of hot) {
      const { choices } = await post(body);
      const { finish_reason: finish, message } = choices[0] ?? {};
      // A text in a call that the model does not end is cut, as any reply.
      if (finish === 'length') expect(message?.content).toMatch(begun);
      else expect(message?.tool_calls).toHaveLength(1);
    }
  });

  it('name the function that was asked for', async () => {
    const choice = { type: 'function', function: { name: 'Bash' } };
    const { choices } = await post({ ...chat, tool_choice: choice, max_tokens: 400 });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'Bash' } });
  });

  it('are refused where there is no such tool', async () => {
    const { status, error } = await post({ messages: chat.messages, tool_choice: 'required' });
    expect([status, error?.message]).toEqual([
      400,
      'tool_choice is "required", but there are no tools.',
    ]);
  });
});

describe('a template of the profile', () => {
  it.each([
    ['calls in XML', '', /^<tool_call>\n<function=(Read|Edit|Bash)>\n/],
    ['a thought first', '<think>', /^(?!<tool_call>)/],
  ])('decides the form of demanded calls: %s', async (_title, end, begin) => {
    const template = join(temporaryFolder(), 'template.jinja');
    writeFileSync(
      template,
      `{#- <function=name> -#}{% for m in messages %}{{ m.content }}\n{% endfor %}${end}`,
    );
    const profile = { chatTemplate: template, tokensPerTurn: 24 };
    const other = await startServer(launchInput({ profile }));
    try {
      const response = await fetch(`${other.root}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INPUT.key}` },
        body: JSON.stringify({
          messages: [{ role: 'user', content: 'Go.' }],
          ...{ tools: WIRE_TOOLS, tool_choice: 'required', temperature: 1, seed: 1 },
        }),
      });
      const { choices, usage } = (await response.json()) as {
        choices: { message: Record<string, unknown> }[];
        usage: { completion_tokens: number };
      };
      const message = choices[0]?.message ?? {};
      if (end === '') expect(message['content']).toMatch(begin);
      else expect(message['reasoning_content']).toMatch(begin);
      // The profile's limit holds for a request that names none.
      expect(usage.completion_tokens).toBe(24);
    } finally {
      await other.stop();
    }
  });
});

describe('the end of a server', () => {
  it('S03 a crash of native code is told as one, and nothing is left', async () => {
    const crashing = await startServer(launchInput());
    process.kill(crashing.pid, 'SIGSEGV');
    const exit = await crashing.exited;
    expect(exit).toEqual({ code: null, signal: 'SIGSEGV' });
    const failure = engine.classify({ lines: crashing.lines, exit, outOfMemoryKilled: false });
    expect(failure).toMatchObject({ kind: 'crash', deterministic: false });
    expect(isRunning(crashing.pid)).toBe(false);
    expect(await engine.reach(crashing.reach())).toMatchObject({ state: 'loading' });
  });

  it('S03 a start that fails ends by itself and says why', async () => {
    const file = join(temporaryFolder(), 'model.gguf');
    writeFileSync(file, 'GGUF');
    const failed = await startServer(launchInput({ model: { entry: file } }));
    const failure = engine.classify({
      lines: failed.lines,
      exit: await failed.exited,
      outOfMemoryKilled: false,
    });
    expect(failure).toMatchObject({
      kind: 'file_damaged',
      cause: 'The model file is cut off or damaged.',
      deterministic: true,
    });
    expect(failed.messages.at(-1)).toMatchObject({ kind: 'failed', fault: 'file_damaged' });
  });

  it('S02 a port that is taken is another fault than a model that does not load', async () => {
    const port = Number(new URL(server.root).port);
    const refused = await startServer(launchInput({ port }));
    const exit = await refused.exited;
    const failure = engine.classify({ lines: refused.lines, exit, outOfMemoryKilled: false });
    expect(failure).toMatchObject({
      kind: 'port_taken',
      cause: `The port ${port} is taken.`,
      deterministic: false,
      retryWith: { newPort: true },
    });
  });

  it('S03 a plan for a graphics device does not fall back to the processor in silence', async () => {
    const hidden = {
      CUDA_VISIBLE_DEVICES: '',
      GGML_VK_VISIBLE_DEVICES: '',
      VK_DRIVER_FILES: '/no',
    };
    const refused = await startServer(
      launchInput({ plan: { device: 'gpu' }, profile: { environment: hidden } }),
    );
    const exit = await refused.exited;
    const failure = engine.classify({ lines: refused.lines, exit, outOfMemoryKilled: false });
    expect(failure).toMatchObject({ kind: 'gpu_missing', deterministic: true });
  });

  it('S06 a stop while it loads leaves nothing', async () => {
    const input = launchInput({ model: { entry: SMOLLM }, plan: { contextTokens: 4_096 } });
    const { forkChild } = await import('../../child.ts');
    const command = engine.command(input);
    if (command.kind !== 'child') throw new Error('no child');
    let seen = '';
    const child = await forkChild({
      entry: command.entry,
      env: command.env,
      onMessage: () => {},
      onLine: (line) => (seen += line),
    });
    child.send(command.start);
    await waitUntil(() => seen.includes('llama_model_loader'), 20_000);
    await Promise.all([child.stop(2_000), child.stop(2_000)]);
    expect(isRunning(child.pid)).toBe(false);
  });
});
