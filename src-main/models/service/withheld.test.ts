import { expect, test } from 'vitest';
import { chat, request, serve } from '../testing/chat.ts';
import { say } from '../testing/http-server.ts';
import type { ServerStatus } from '../servers/types.ts';
import { withheldFrom } from './served.ts';

const status = (engine: string, version: string | null) => ({ engine, version }) as ServerStatus;

test('only vLLM for processors is sent no seed: it can die of one', () => {
  expect(withheldFrom(status('vllm', '0.32.0+cpu'))).toEqual(['seed']);
  expect(withheldFrom(status('vllm', '0.33.0'))).toEqual([]);
  expect(withheldFrom(status('vllm', null))).toEqual([]);
  expect(withheldFrom(status('llamacpp', '3.21.1'))).toEqual([]);
});

test('what is withheld from a server is not in the first request either', async () => {
  const server = await serve(say('hello'));
  const sampling = { seed: 7, temperature: 0.6 };
  await chat(server, { withheld: ['seed'] }).complete(request({ sampling }));
  await chat(server).complete(request({ sampling }));
  expect(server.requests.map(({ body }) => body['seed'])).toEqual([undefined, 7]);
  expect(server.requests.map(({ body }) => body['temperature'])).toEqual([0.6, 0.6]);
});
