import { expect, test } from 'vitest';
import { chat, request, serve } from './testing/chat.ts';
import { failure, say, status } from './testing/http-server.ts';

const whole = (choice: object, beside: object = {}) =>
  status(200, {
    ...beside,
    object: 'chat.completion',
    choices: [
      {
        ...{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' },
        ...choice,
      },
    ],
  });
const entries = (...logprobs: number[]) =>
  logprobs.map((logprob) => ({ token: 'x', logprob, bytes: null, top_logprobs: [] }));
const withIds = {
  logprobs: { content: entries(-0.5, 0).map((one, at) => ({ ...one, id: 3 + at })) },
};
const tokens = { prompt: [1, 2], completion: [3, 4], logprobs: [-0.5, 0] };
const asking = request({ wantsTokens: true });

test.each([
  [
    'vLLM',
    whole(
      { token_ids: [3, 4], logprobs: { content: entries(-0.5, 0) } },
      { prompt_token_ids: [1, 2] },
    ),
    tokens,
  ],
  [
    'SGLang',
    whole({
      ...{ prompt_token_ids: [1, 2], token_ids: [3, 4] },
      logprobs: { content: entries(-0.5, 0) },
    }),
    tokens,
  ],
  ['llama.cpp', whole(withIds, { usage: { completion_tokens: 2 } }), { ...tokens, prompt: null }],
  [
    'llama.cpp, where half a character has no entry',
    whole(withIds, { usage: { completion_tokens: 3 } }),
    undefined,
  ],
  [
    'one that has no ids',
    whole({ logprobs: { content: entries(-0.5, 0) } }),
    { ...tokens, prompt: null, completion: null },
  ],
  [
    'one whose lists do not match',
    whole({ token_ids: [3, 4], logprobs: { content: entries(-0.5) } }),
    { prompt: null, completion: [3, 4], logprobs: null },
  ],
  [
    'one with a value that is no number',
    whole({ token_ids: [3, 'four'], logprobs: { content: entries(-0.5, 0) } }),
    { prompt: null, completion: null, logprobs: [-0.5, 0] },
  ],
  ['one that gives none', whole({ logprobs: null, token_ids: null }), undefined],
])('tokens as %s gives them', async (_, answer, expected) => {
  const server = await serve(answer);
  const reply = await chat(server).complete(asking);
  expect(reply.tokens).toEqual(expected);
  expect(reply.timings.firstTokenMs).toBeNull();
  expect(server.requests[0]?.body).toEqual({
    ...{ model: 'small', messages: [{ role: 'user', content: 'hello' }], max_tokens: 1000 },
    ...{ logprobs: true, return_token_ids: true },
  });
});

test('nothing is asked for unless it is wanted', async () => {
  const server = await serve(say('ok'));
  expect(await chat(server).complete(request())).not.toHaveProperty('tokens');
  expect(server.requests[0]?.body).not.toHaveProperty('logprobs');
  expect(server.requests[0]?.body).not.toHaveProperty('return_token_ids');
});

test.each([
  ['without a reason', 'bad request'],
  ['by name', 'Unknown parameters: logprobs, return_token_ids'],
])('a server that refuses them %s is asked again, and for streams from then on', async (_, why) => {
  const server = await serve(failure(400, why), say('one'), say('two'));
  const model = chat(server);
  expect(await model.complete(asking)).toMatchObject({ content: 'one', retries: [`400: ${why}`] });
  expect(await model.complete(asking)).toMatchObject({ content: 'two', retries: [] });
  const asked = server.requests.map(({ body }) => [body['stream'], 'logprobs' in body]);
  expect(asked).toEqual([
    [undefined, true],
    [true, false],
    [true, false],
  ]);
});

test('one that refuses one of them is asked for the other', async () => {
  const server = await serve(
    failure(400, 'logprobs is not supported'),
    whole({ token_ids: [3, 4] }),
  );
  const { tokens: given } = await chat(server).complete(asking);
  expect(given).toEqual({ prompt: null, completion: [3, 4], logprobs: null });
});

test('a whole reply that does not end is broken off before it fills the memory', async () => {
  const piece = Buffer.alloc(4 * 1024 * 1024, 'A');
  let sent = 0;
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"x":"');
    const next = (): void => {
      sent += 1;
      if (!response.destroyed && sent < 100) response.write(piece, next);
    };
    next();
  });
  await expect(chat(server).complete(asking)).rejects.toThrow('longer than 134217728 bytes');
  expect(sent).toBeLessThan(60);
});

const paused = (seconds: string) =>
  status(429, { error: 'gateway paused' }, { 'retry-after': seconds });

test('a paused server is waited for as long as it asks, and the time is told', async () => {
  const pauses = Array.from({ length: 12 }, () => paused('0.01'));
  const server = await serve(...pauses, failure(500, 'ouch'), say('new weights'));
  const waits: number[] = [];
  const model = chat(server, { retries: { firstPauseMs: 1, longestWaitMs: 5_000 } });
  const reply = await model.complete(request({ onWaited: (ms) => waits.push(ms) }));
  expect(reply.content).toBe('new weights');
  expect(reply.retries).toEqual(['429: gateway paused', '500: ouch']);
  expect(waits).toHaveLength(12);
  expect(Math.min(...waits)).toBeGreaterThan(8);
});

test('waiting has a limit over all tries of a turn, and its own pauses where none are asked', async () => {
  const server = await serve(failure(503, 'no servers'));
  let waitedMs = 0;
  const model = chat(server, {
    retries: { firstPauseMs: 20, longestPauseMs: 40, longestWaitMs: 200 },
  });
  const turn = model.complete(request({ onWaited: (ms) => (waitedMs += ms) }));
  await expect(turn).rejects.toMatchObject({
    code: 'endpoint_error',
    message: expect.stringMatching(/failed: 503: no servers \(after \d+ more tries\)$/) as string,
  });
  expect(waitedMs).toBeGreaterThanOrEqual(200);
  expect(waitedMs).toBeLessThan(1_000);
  expect(server.requests.length).toBeGreaterThan(5);
});

test('a stop ends the waiting, and what was waited is told all the same', async () => {
  const server = await serve(paused('60'));
  const stop = new AbortController();
  let waitedMs = 0;
  const model = chat(server, { retries: { longestWaitMs: 600_000 } });
  setTimeout(() => stop.abort(new Error('time is up')), 300);
  const turn = model.complete(request({ signal: stop.signal, onWaited: (ms) => (waitedMs += ms) }));
  await expect(turn).rejects.toThrow('time is up');
  expect(waitedMs).toBeGreaterThan(50);
  expect(waitedMs).toBeLessThan(5_000);
});
