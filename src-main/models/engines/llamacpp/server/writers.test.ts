import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ReplyEnd } from './reply.ts';
import { createStreamWriter } from './writers.ts';

const END: ReplyEnd = {
  finish: 'stop',
  usage: {
    ...{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    prompt_tokens_details: { cached_tokens: 1 },
  },
  timings: {
    ...{ cache_n: 1, prompt_n: 2, prompt_ms: 10, prompt_per_second: 200 },
    ...{ predicted_n: 2, predicted_ms: 20, predicted_per_second: 100 },
  },
};

interface Chunk {
  choices: { delta: object; finish_reason: string | null }[];
}

type Write = (writer: ReturnType<typeof createStreamWriter>) => void | Promise<void>;

/** The deltas a client gets for what is written. */
async function streamed(write: Write): Promise<object[]> {
  const server = createServer((_request, response) => {
    const writer = createStreamWriter(response, 'm', false);
    writer.begin();
    void Promise.resolve(write(writer)).then(() => writer.end(END));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  server.close();
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'));
  return events.flatMap((event) =>
    (JSON.parse(event.slice(6)) as Chunk).choices.map(({ delta }) => delta),
  );
}

const ROLE = { role: 'assistant', content: '' };

describe('a streamed reply', () => {
  it('has its first piece at once, and those that follow fast together', async () => {
    const deltas = await streamed((writer) => {
      for (const piece of ['a', 'b', 'c', 'd']) writer.content(piece);
    });
    expect(deltas).toEqual([ROLE, { content: 'a' }, { content: 'bcd' }, {}]);
  });

  it('keeps thought, text and calls apart and in order', async () => {
    const call = { id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const deltas = await streamed((writer) => {
      for (const piece of ['t', 'u', 'v']) writer.reasoning(piece);
      for (const piece of ['a', 'b']) writer.content(piece);
      writer.call(0, call);
    });
    expect(deltas).toEqual([
      ROLE,
      { reasoning_content: 't' },
      { reasoning_content: 'uv' },
      { content: 'ab' },
      { tool_calls: [{ index: 0, ...call }] },
      {},
    ]);
  });

  it('holds nothing back until more comes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let seen = '';
    const server = createServer((_request, response) => {
      const writer = createStreamWriter(response, 'm', false);
      writer.begin();
      writer.content('a');
      writer.content('b');
      void promise.then(() => writer.end(END));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    for await (const chunk of response.body ?? []) {
      seen += Buffer.from(chunk).toString();
      if (seen.includes('"content":"b"')) resolve();
    }
    server.close();
    expect(seen).toContain('[DONE]');
  });
});
