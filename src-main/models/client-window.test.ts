import { expect, test } from 'vitest';
import { chat, request, serve } from './testing/chat.ts';
import { failure, say, status } from './testing/http-server.ts';

test.each([
  "This model's maximum context length is 4096 tokens. However, you requested 4500 tokens (3500 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
  "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 4096 tokens and your request has 3500 input tokens (1000 > 4096 - 3500).",
  "You passed 3500 input tokens and requested 1000 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3096 tokens.",
  "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4500 tokens: 3500 tokens from the input messages and 1000 tokens for the completion.",
])('L08 prompt and limit do not fit the window: clamped to what it leaves: %s', async (text) => {
  const server = await serve(failure(400, text), say('fits', 'length'));
  const reply = await chat(server).complete(request());
  expect(reply.finish).toBe('cut');
  expect(server.requests.map((seen) => seen.body['max_tokens'])).toEqual([1000, 588]);
});

test('L08 a server that names only a bound: halved until it fits', async () => {
  const text =
    "This model's maximum context length is 4096 tokens. However, you requested 1000 output tokens and your prompt contains at least 3097 input tokens, for a total of at least 4097 tokens.";
  const server = await serve(failure(400, text), failure(400, text), say('fits'));
  await chat(server).complete(request());
  expect(server.requests.map((seen) => seen.body['max_tokens'])).toEqual([1000, 500, 250]);
});

test.each([
  [
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
      },
    },
  ],
  [
    400,
    {
      object: 'error',
      message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    },
  ],
  [
    400,
    {
      error: {
        message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      },
    },
  ],
  [
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
  ],
  [
    400,
    {
      error: {
        message:
          'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
      },
    },
  ],
  [500, { error: { message: 'Context size has been exceeded.' } }],
  [
    400,
    {
      error: {
        code: 'context_length_exceeded',
        message: 'Your input exceeds the context window of this model.',
      },
    },
  ],
  [400, { error: { message: 'prompt is too long: 5,000 tokens > 4,096 maximum' } }],
])('L08 the prompt alone does not fit: %i %o', async (code, body) => {
  const server = await serve(status(code, body));
  await expect(chat(server).complete(request())).rejects.toMatchObject({
    name: 'ContextOverflowError',
  });
  expect(server.requests.length).toBe(1);
});

test('L08 the limit never exceeds the known window', async () => {
  const server = await serve(say('ok'));
  await chat(server, { contextTokens: 512 }).complete(request());
  expect(server.requests[0]?.body['max_tokens']).toBe(512);
});
