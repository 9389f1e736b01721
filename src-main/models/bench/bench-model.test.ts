import { describe, expect, it } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import type { ChatModel, Completion, CompletionRequest, Usage } from '../types.ts';
import { ContextOverflowError } from '../types.ts';
import { benchModel } from './bench-model.ts';
import { createWords } from './words.ts';

const SILENT: Usage = { promptTokens: null, completionTokens: null, cachedTokens: null };

/** A server as seen through its client, with counts of its own making. */
function model(
  answer: (request: CompletionRequest, turn: number) => Partial<Usage> | Error,
): ChatModel & { requests: CompletionRequest[] } {
  const requests: CompletionRequest[] = [];
  return {
    requests,
    complete: (request): Promise<Completion> => {
      request.signal?.throwIfAborted();
      const usage = answer(request, requests.push(request));
      if (usage instanceof Error) return Promise.reject(usage);
      return Promise.resolve({
        ...{ content: 'x', reasoning: '', toolCalls: [], finish: 'cut', retries: [] },
        usage: { ...SILENT, ...usage },
        timings: { firstTokenMs: 100, totalMs: 600 },
      });
    },
  };
}

const wordsIn = (request: CompletionRequest): number =>
  request.messages.map(({ content }) => content.split(/\s+/).length).reduce((sum, n) => sum + n, 0);

describe('the measurement of a model', () => {
  it('makes every figure from what the server counts', async () => {
    let sent = 0;
    const chat = model((request) => {
      const prompt = 3 * wordsIn(request);
      const cached = request.messages.length > 1 ? Math.floor(0.9 * sent) : 0;
      sent = prompt;
      return { promptTokens: prompt, cachedTokens: cached, completionTokens: request.maxTokens };
    });
    const texts: string[] = [];
    const result = await benchModel(
      { chat, info: { contextTokens: 2_048 } },
      { name: 'x', onProgress: (text) => texts.push(text) },
    );
    const [, long] = chat.requests;
    expect(long && 3 * wordsIn(long)).toBeGreaterThan(900);
    expect(result).toMatchObject({
      name: 'x',
      loadSeconds: null,
      promptTokensPerSecond: long && 30 * wordsIn(long),
      generatedTokensPerSecond: 382,
      firstTokenMs: 100,
      memory: null,
    });
    expect(result.turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(result.turns[0]?.reusedShare).toBeNull();
    for (const { reusedShare } of result.turns.slice(1)) expect(reusedShare).toBeCloseTo(0.9, 2);
    expect(result.turns.at(-1)?.promptTokens).toBeLessThan(2_048);
    expect(texts).toEqual([
      'reading a short prompt',
      expect.stringMatching(/^reading a new prompt of about \d+ tokens$/),
      'writing',
      ...Array.from({ length: 10 }, (_, turn) => `turn ${turn + 1} of 10`),
    ]);
  });

  it('says nothing where the server says nothing', async () => {
    const chat = model(() => ({}));
    const result = await benchModel({ chat, info: { contextTokens: null } }, { name: 'x' });
    expect(result).toMatchObject({ promptTokensPerSecond: null, generatedTokensPerSecond: null });
    expect(result.turns).toHaveLength(10);
    expect(result.turns[9]).toEqual({
      ...{ turn: 10, promptTokens: null, cachedTokens: null, reusedShare: null },
      firstTokenMs: 100,
    });
  });

  it('tries other prompts where the model ends its turn at once, and gives up honestly', async () => {
    const ends = model(() => ({ promptTokens: 50, completionTokens: 3 }));
    const result = await benchModel({ chat: ends, info: { contextTokens: null } }, { name: 'x' });
    expect(result.generatedTokensPerSecond).toBeNull();
    expect(ends.requests).toHaveLength(2 + 3 + 10);
  });

  it('tries half the words where the window is smaller than it was said to be', async () => {
    const chat = model((request) =>
      wordsIn(request) > 300
        ? new ContextOverflowError('too long')
        : { promptTokens: wordsIn(request), completionTokens: 100 },
    );
    const result = await benchModel({ chat, info: { contextTokens: null } }, { name: 'x' });
    expect(result.promptTokensPerSecond).toBeGreaterThan(1_000);
    expect(result.turns).toHaveLength(10);
  });

  it('ends the turns where the window is full', async () => {
    const chat = model(({ messages }) =>
      messages.length > 8 ? new ContextOverflowError('too long') : { promptTokens: 100 },
    );
    const { turns } = await benchModel({ chat, info: { contextTokens: null } }, { name: 'x' });
    expect(turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  });

  it('sends results as the user where the template refuses tools, and no other failure', async () => {
    const chat = model((request) =>
      request.messages.some(({ role }) => role === 'tool')
        ? new VivariumError('endpoint_error', 'no tools', 'x')
        : { promptTokens: 100, cachedTokens: 50 },
    );
    const { turns } = await benchModel({ chat, info: { contextTokens: null } }, { name: 'x' });
    expect(turns).toHaveLength(10);
    const dead = model(() => new VivariumError('engine_failed', 'dead', 'x'));
    await expect(
      benchModel({ chat: dead, info: { contextTokens: null } }, { name: 'x' }),
    ).rejects.toMatchObject({ code: 'engine_failed' });
  });

  it('stops with the reason of the signal', async () => {
    const cancel = new AbortController();
    const reason = new Error('stop');
    const chat = model((_request, turn) => {
      if (turn === 5) cancel.abort(reason);
      return { promptTokens: 100, completionTokens: 100 };
    });
    const running = benchModel(
      { chat, info: { contextTokens: null } },
      { name: 'x', signal: cancel.signal },
    );
    await expect(running).rejects.toBe(reason);
    expect(chat.requests).toHaveLength(5);
  });
});

describe('made-up words', () => {
  it('are the same for a seed and different for another', () => {
    expect(createWords(1).take(30)).toBe(createWords(1).take(30));
    expect(createWords(1).take(30)).not.toBe(createWords(2).take(30));
    expect(createWords(3).take(30).split(/\s+/)).toHaveLength(30);
  });
});
