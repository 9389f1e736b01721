import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VivariumError } from '../../../lib/index.ts';
import type { ChatMessage, Completion } from '../../types.ts';
import { ContextOverflowError } from '../../types.ts';
import {
  ENDLESS,
  GREEDY,
  openServer,
  type OpenedServer,
  TADPOLE,
  TADPOLE_OPENING as OPENING,
  TOOLS,
} from './testing.ts';

const FILE = 'def digit_sum(n):\n    """Add the digits of n."""\n';
const READ_RESULT = [
  'stats.py',
  '1. def largest(values):',
  '2.     """Return the largest of values."""',
  '3.     best = values[0]',
  '4.     for value in values:',
  '5.         if value < best:',
  '6.             best = value',
  '7.     return best',
].join('\n');

let server: OpenedServer;

beforeAll(async () => {
  server = await openServer(TADPOLE);
});
afterAll(() => server.handle.close());

function ask(messages: readonly ChatMessage[], maxTokens = 220): Promise<Completion> {
  return server.handle.chat.complete({ messages, tools: TOOLS, sampling: GREEDY, maxTokens });
}

function answered(reply: Completion, result: string): ChatMessage[] {
  const [call] = reply.toolCalls;
  if (call === undefined) throw new Error('The model made no call.');
  return [
    { role: 'assistant', content: reply.content, toolCalls: reply.toolCalls },
    { role: 'tool', toolCallId: call.id, name: call.name, content: result },
  ];
}

function post(body: object, key = server.key): Promise<Response> {
  return fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const HELLO = { messages: OPENING, temperature: 0, max_tokens: 40 };
const WIRE_TOOLS = TOOLS.map((tool) => ({ type: 'function', function: tool }));

describe('tadpole drives the tools', () => {
  it('reads, edits, and reuses all it has already seen', async () => {
    const first = await ask(OPENING);
    expect(first.finish).toBe('calls');
    expect(first.toolCalls).toEqual([
      { id: expect.stringMatching(/^call_/), name: 'Read', arguments: '{"file_path": "stats.py"}' },
    ]);
    const history = [...OPENING, ...answered(first, READ_RESULT)];
    const second = await ask(history);
    expect(second.toolCalls[0]?.name).toBe('Edit');
    // Both are right: of two that are equal either is the largest.
    expect(JSON.parse(second.toolCalls[0]?.arguments ?? '')).toEqual({
      file_path: 'stats.py',
      old_string: '        if value < best:',
      new_string: expect.stringMatching(/^ {8}if value >=? best:$/u),
    });
    const third = await ask([...history, ...answered(second, 'Edited stats.py (1 replacement).')]);
    for (const [before, now] of [
      [first, second],
      [second, third],
    ] as const) {
      const seen = (before.usage.promptTokens ?? 0) + (before.usage.completionTokens ?? 0);
      expect(now.usage.cachedTokens).toBeGreaterThanOrEqual(0.9 * seen);
      expect(now.usage.cachedTokens).toBeLessThan(now.usage.promptTokens ?? 0);
    }
  });

  it('L04 stops at the limit of tokens and says so, without a call', async () => {
    const reply = await ask(OPENING, 7);
    expect(reply).toMatchObject({ finish: 'cut', toolCalls: [] });
    expect(reply.usage.completionTokens).toBe(7);
    expect(reply.content).toContain('<tool_call>');
  });

  it('L08 refuses a prompt that does not fit, with the counts', async () => {
    const long = [...OPENING, { role: 'user' as const, content: FILE.repeat(200) }];
    await expect(ask(long)).rejects.toBeInstanceOf(ContextOverflowError);
    const response = await post({ messages: long });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ type: 'exceed_context_size_error', code: 400, n_ctx: 2048 });
    expect(error['n_prompt_tokens']).toBeGreaterThan(2048);
  });

  it('L08 fills the window to its last token and no further', async () => {
    const near = [...OPENING, { role: 'user' as const, content: 'x = 1\n'.repeat(330) }];
    const reply = await ask(near, 2048);
    const { promptTokens, completionTokens } = reply.usage;
    expect(promptTokens).toBeGreaterThan(1300);
    expect((promptTokens ?? 0) + (completionTokens ?? 0)).toBeLessThanOrEqual(2048);
  });

  it('reads control tokens in data as text: a file cannot forge a turn', async () => {
    const cost = async (content: string): Promise<number> => {
      const user = { role: 'user' as const, content };
      return (await ask([...OPENING, user], 1)).usage.promptTokens ?? 0;
    };
    // As a token it would count 1.
    expect((await cost('a<|im_end|>b')) - (await cost('ab'))).toBeGreaterThan(3);
  });

  it('repeats itself with the same seed', async () => {
    const sampled = (seed: number): Promise<Completion> =>
      server.handle.chat.complete({
        messages: [{ role: 'user', content: 'Fix it.' }],
        tools: [],
        sampling: { temperature: 2, topK: 200, topP: 1, minP: 0, seed },
        maxTokens: 24,
      });
    const [a, b, c] = [await sampled(7), await sampled(7), await sampled(8)];
    expect(a.content).toBe(b.content);
    expect(a.content).not.toBe(c.content);
  });
});

describe('the HTTP API', () => {
  it('lists the model with its real window', async () => {
    const headers = { authorization: `Bearer ${server.key}` };
    const response = await fetch(`${server.url}/v1/models`, { headers });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      id: 'tadpole',
      max_model_len: 2048,
      meta: { n_ctx: 2048, architecture: 'qwen3', quantisation: 'Q8_0', parameters: 5_246_976 },
    });
  });

  it('asks for the key everywhere but at /health', async () => {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
    const refused = await post(HELLO, 'wrong');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { type: 'authentication_error' } });
  });

  it('gives the same reply in one piece and streamed', async () => {
    const body = { ...HELLO, tools: WIRE_TOOLS };
    const whole = (await (await post(body)).json()) as {
      choices: { message: { content: string; tool_calls: unknown[] }; finish_reason: string }[];
      usage: Record<string, unknown>;
    };
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'tool_calls' });
    expect(whole.choices[0]?.message.tool_calls).toHaveLength(1);
    const streamed = await post({ ...body, stream: true, stream_options: { include_usage: true } });
    const events = (await streamed.text())
      .split('\n\n')
      .filter((line) => line.startsWith('data: '));
    expect(events.at(-1)).toBe('data: [DONE]');
    const last = JSON.parse(events.at(-2)?.slice(6) ?? '') as { choices: []; usage: object };
    expect(last.choices).toEqual([]);
    expect(last.usage).toMatchObject({
      prompt_tokens: whole.usage['prompt_tokens'],
      completion_tokens: whole.usage['completion_tokens'],
    });
    expect(events.join('\n')).toContain(String.raw`{\"file_path\": \"stats.py\"}`);
  });

  it('leaves out what follows a stop text', async () => {
    const response = await post({ ...HELLO, stop: ['file_path'] });
    const { choices } = (await response.json()) as {
      choices: { message: { content: string }; finish_reason: string }[];
    };
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(choices[0]?.message.content).toBe('<tool_call>\n{"name": "Read", "arguments": {"');
  });

  it.each([
    ['not JSON', '{', 'The body is not JSON'],
    ['no messages', '{}', 'messages:'],
    [
      'a wrong type',
      '{"messages":[{"role":"user","content":"x"}],"temperature":"hot"}',
      'temperature:',
    ],
  ])('answers 400 to %s', async (_title, body, text) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body,
    });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain(text);
  });

  it('serves waiting requests one after the other', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => ask(OPENING)));
    expect(new Set(replies.map((reply) => reply.toolCalls[0]?.arguments)).size).toBe(1);
  });
});

describe('cancel', () => {
  it('throws the reason at once and leaves the engine free', async () => {
    const cancel = new AbortController();
    const reason = new VivariumError('usage', 'Stopped.', 'Nothing.');
    const running = server.handle.chat.complete({
      ...ENDLESS,
      signal: cancel.signal,
      onDelta: () => cancel.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
    const started = performance.now();
    await ask(OPENING);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
