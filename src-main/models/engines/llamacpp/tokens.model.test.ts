import { getLlama, type Llama, type LlamaModel, type Token } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage, Completion, CompletionRequest } from '../../types.ts';
import {
  GREEDY,
  openServer,
  type OpenedServer,
  TADPOLE,
  TADPOLE_OPENING as OPENING,
  TOOLS,
} from './testing.ts';

/** Entries of tadpole's tokenizer. */
const VOCABULARY = 2_048;

let server: OpenedServer;
let llama: Llama;
let model: LlamaModel;
beforeAll(async () => {
  server = await openServer(TADPOLE);
  llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
  model = await llama.loadModel({ modelPath: TADPOLE, vocabOnly: true });
});
afterAll(async () => {
  await server.handle.close();
  await llama.dispose();
});

async function ask(change: Partial<CompletionRequest> = {}) {
  const reply = await server.handle.chat.complete({
    ...{ messages: OPENING, tools: [], sampling: GREEDY, maxTokens: 120, wantsTokens: true },
    ...change,
  });
  return { reply, ...tokensOf(reply) };
}

function tokensOf({ tokens }: Completion) {
  const { prompt, completion, logprobs } = tokens ?? {};
  if (!prompt || !completion || !logprobs) throw new Error('there are no tokens');
  return { prompt, completion, logprobs };
}

const textOf = (ids: readonly number[]): string => model.detokenize(ids as Token[], true);

describe('tokens of a turn', () => {
  it('of the reply are its text and the end of the turn; of the prompt, all of it', async () => {
    const { reply, prompt, completion } = await ask();
    const end = completion.at(-1);
    expect(reply.finish).toBe('stop');
    expect(model.isEogToken(end as Token)).toBe(true);
    expect(reply.content).toContain('"file_path": "stats.py"');
    expect(textOf(completion.slice(0, -1))).toBe(reply.content);
    expect(completion).toHaveLength((reply.usage.completionTokens ?? 0) + 1);
    expect(prompt).toHaveLength(reply.usage.promptTokens ?? 0);
    expect(textOf(prompt)).toContain('`largest([3, 8, 5])` returns 3, expected 8.');
  });

  it('hold the text of calls that were parsed out of it', async () => {
    const { reply, completion } = await ask({ tools: TOOLS });
    expect(reply).toMatchObject({ content: '', finish: 'calls' });
    expect(textOf(completion)).toContain('<tool_call>\n{"name": "Read", "arguments": {"file_path"');
  });

  it('of a reply that is cut off have no end of the turn', async () => {
    const { reply, completion } = await ask({ maxTokens: 7 });
    expect([reply.finish, completion.length]).toEqual(['cut', 7]);
    expect(textOf(completion)).toBe(reply.content);
  });

  it('are the beginning of the next prompt', async () => {
    const first = await ask({ tools: TOOLS });
    const [call] = first.reply.toolCalls;
    if (call === undefined) throw new Error('The model made no call.');
    const messages: ChatMessage[] = [
      ...OPENING,
      { role: 'assistant', content: first.reply.content, toolCalls: first.reply.toolCalls },
      { role: 'tool', toolCallId: call.id, name: call.name, content: 'stats.py\n1. x = 1' },
    ];
    const second = await ask({ tools: TOOLS, messages });
    const before = [...first.prompt, ...first.completion];
    expect(second.prompt.slice(0, before.length)).toEqual(before);
    expect(second.prompt.length).toBeGreaterThan(before.length);
  });

  it('have the probability of what they were sampled from', async () => {
    const { logprobs } = await ask();
    expect(Math.max(...logprobs)).toBeLessThanOrEqual(0);
    // Over a vocabulary of V tokens the likeliest one has at least 1/V.
    expect(Math.min(...logprobs)).toBeGreaterThan(-Math.log(VOCABULARY));
    const only = await ask({ sampling: { temperature: 1, topK: 1, seed: 1 } });
    expect(only.logprobs.every((value) => Math.abs(value) < 1e-5)).toBe(true);
  });

  it('change nothing of the reply, and are left out unless they are asked for', async () => {
    const { reply } = await ask();
    const plain = await server.handle.chat.complete({
      ...{ messages: OPENING, tools: [], sampling: GREEDY, maxTokens: 120 },
    });
    expect(plain.tokens).toBeUndefined();
    expect([plain.content, plain.usage.completionTokens]).toEqual([
      reply.content,
      reply.usage.completionTokens,
    ]);
  });

  it('are refused in streams', async () => {
    for (const asked of [{ logprobs: true }, { return_token_ids: true }]) {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: OPENING, stream: true, max_tokens: 5, ...asked }),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('not supported in streams');
    }
  });
});
