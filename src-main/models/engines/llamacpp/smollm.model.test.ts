import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VivariumError } from '../../../lib/index.ts';
import type { ChatMessage } from '../../types.ts';
import { GEMMA, GREEDY, openServer, type OpenedServer, SMOLLM } from './testing.ts';

/** Turn format of the model's instruction-tuned siblings; the base model comes without one. */
const GEMMA_TEMPLATE =
  "{{ bos_token }}{% for m in messages %}{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else 'user') + '\\n' + m.content + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}";

const LONG_TEXT = Array.from(
  { length: 60 },
  (_, line) => `${line + 1}. The file number ${line} holds ${line * 7} entries.`,
).join('\n');

async function twoTurns(server: OpenedServer): Promise<{ seen: number; cached: number }> {
  const ask = (messages: ChatMessage[]): ReturnType<typeof server.handle.chat.complete> =>
    server.handle.chat.complete({ messages, tools: [], sampling: GREEDY, maxTokens: 32 });
  const opening: ChatMessage[] = [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: `${LONG_TEXT}\nHow many files are there?` },
  ];
  const first = await ask(opening);
  const second = await ask([
    ...opening,
    { role: 'assistant', content: first.content },
    { role: 'user', content: 'Are you sure?' },
  ]);
  expect(first.usage.cachedTokens).toBe(0);
  const seen = (first.usage.promptTokens ?? 0) + (first.usage.completionTokens ?? 0);
  return { seen, cached: second.usage.cachedTokens ?? 0 };
}

describe('SmolLM2 135M', () => {
  let server: OpenedServer;
  beforeAll(async () => {
    server = await openServer(SMOLLM, { contextTokens: 4_096, parallel: 2 });
  });
  afterAll(() => server.handle.close());

  it('takes the window that was asked for, not the trained one', () => {
    expect(server.handle.info).toMatchObject({
      name: 'SmolLM2-135M-Instruct.Q4_1',
      contextTokens: 4_096,
      details: {
        architecture: 'llama',
        quantisation: 'Q4_1',
        trainedContextTokens: 8_192,
        license: 'apache-2.0',
        parallel: 2,
      },
    });
  });

  it('evaluates only the new part of an append-only second turn', async () => {
    const { seen, cached } = await twoTurns(server);
    expect(cached / seen).toBeGreaterThanOrEqual(0.9);
  });

  it('runs two conversations at a time, each with its own memory', async () => {
    const turn = (
      topic: string,
      more: ChatMessage[] = [],
    ): ReturnType<typeof server.handle.chat.complete> =>
      server.handle.chat.complete({
        messages: [
          { role: 'system', content: 'You are a helpful assistant.' },
          { role: 'user', content: `${LONG_TEXT}\nTell me about ${topic}.` },
          ...more,
        ],
        tools: [],
        sampling: GREEDY,
        maxTokens: 24,
      });
    const firsts = await Promise.all([turn('cats'), turn('ships')]);
    const again = await Promise.all(
      firsts.map((reply, index) =>
        turn(index === 0 ? 'cats' : 'ships', [
          { role: 'assistant', content: reply.content },
          { role: 'user', content: 'Go on.' },
        ]),
      ),
    );
    for (const [index, reply] of again.entries()) {
      const seen = (firsts[index]?.usage.promptTokens ?? 0) + 24;
      expect((reply.usage.cachedTokens ?? 0) / seen).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('stops soon when cancelled in the middle of a long prompt', async () => {
    const cancel = new AbortController();
    const reason = new VivariumError('usage', 'Stopped.', 'Nothing.');
    const content = `Repeat this.\n${LONG_TEXT.replaceAll('file', 'folder')}\n`.repeat(3);
    const running = server.handle.chat.complete({
      messages: [{ role: 'user', content }],
      tools: [],
      sampling: GREEDY,
      maxTokens: 500,
      signal: cancel.signal,
    });
    setTimeout(() => cancel.abort(reason), 300);
    await expect(running).rejects.toBe(reason);
    const started = performance.now();
    await server.handle.chat.complete({
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [],
      sampling: GREEDY,
      maxTokens: 1,
    });
    // The whole prompt takes some 20 s on one core; a cancel waits for one piece of it.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('Gemma 3 270M, a base model whose window slides', () => {
  it('S07 is refused without a chat template', async () => {
    const opening = openServer(GEMMA);
    await expect(opening).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: expect.stringContaining('no chat template') as string,
      next: expect.stringContaining('instruction-tuned') as string,
    });
  });

  it('goes back to the checkpoint of an earlier turn that its window has left behind', async () => {
    const server = await openServer(GEMMA, { contextTokens: 4_096, chatTemplate: GEMMA_TEMPLATE });
    const ask = async (...messages: ChatMessage[]): Promise<{ prompt: number; cached: number }> => {
      const request = { messages, tools: [], sampling: GREEDY, maxTokens: 4 };
      const { usage } = await server.handle.chat.complete(request);
      return { prompt: usage.promptTokens ?? 0, cached: usage.cachedTokens ?? 0 };
    };
    const text: ChatMessage = { role: 'user', content: LONG_TEXT };
    const noted: ChatMessage = { role: 'assistant', content: 'Noted.' };
    try {
      const first = await ask(text);
      const other = LONG_TEXT.replaceAll('file', 'map');
      const second = await ask(text, noted, {
        role: 'user',
        content: other + other.slice(0, 1_500),
      });
      expect(second.prompt).toBeGreaterThan(2_400);
      const third = await ask(text, noted, { role: 'user', content: 'How many?' });
      expect(third.cached).toBeGreaterThanOrEqual(0.9 * first.prompt);
      // The four tokens of the first reply are the most that can be shared beyond its prompt.
      expect(third.cached).toBeLessThanOrEqual(first.prompt + 4);
    } finally {
      await server.handle.close();
    }
  });

  it('evaluates only the new part of a second turn with a template given', async () => {
    const server = await openServer(GEMMA, { contextTokens: 2_048, chatTemplate: GEMMA_TEMPLATE });
    try {
      const { seen, cached } = await twoTurns(server);
      expect(cached / seen).toBeGreaterThanOrEqual(0.9);
    } finally {
      await server.handle.close();
    }
  });
});
