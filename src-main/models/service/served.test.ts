import { expect, test } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import { modelFor, factsFor } from '../profiles/testing.ts';
import type { ServedModel } from '../servers/types.ts';
import { request, serve } from '../testing/chat.ts';
import { delta, say, type Answer, type TestServer } from '../testing/http-server.ts';
import { launchInput } from '../testing/launch.ts';
import { servedModel, type ServerLife, type ServerUse } from './served.ts';
import { accessOf, statusOf } from './testing.ts';

const ROOT = (server: TestServer): string => server.url.replace(/\/v1$/, '');

/** A use whose lives the test gives one after the other; an error ends it for good. */
function useOf(lives: (ServerLife | Error)[]): ServerUse & { running: number; released: number } {
  let at = 0;
  const use = {
    running: 0,
    released: 0,
    reach: () => {
      const life = lives[Math.min(at, lives.length - 1)];
      at += 1;
      return life instanceof Error ? Promise.reject(life) : Promise.resolve(life as ServerLife);
    },
    begin: () => {
      use.running += 1;
      return () => void (use.running -= 1);
    },
    memoryBytes: () => Promise.resolve(7),
    release: async () => void (use.released += 1),
  };
  return use;
}

function lifeAt(server: TestServer, down = new AbortController()): ServerLife {
  return { access: accessOf(ROOT(server)), status: statusOf('ready'), down: down.signal };
}

function served(use: ServerUse): ServedModel {
  const { profile } = launchInput();
  return servedModel(use, statusOf('ready'), {
    profile,
    model: modelFor(factsFor()),
    started: true,
  });
}

/** Begins to answer, and ends the life of the server in the middle. */
function dies(down: AbortController): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(delta({ content: 'lost' }))}\n\n`);
    setTimeout(() => down.abort(new Error('down')), 20);
  };
}

test('a chat goes to where the server is, with its name and key', async () => {
  const server = await serve(say('hello'));
  const use = useOf([lifeAt(server)]);
  const model = served(use);
  expect((await model.chat.complete(request())).content).toBe('hello');
  expect(server.requests[0]).toMatchObject({
    headers: { authorization: 'Bearer key' },
    body: { model: 'frog-n' },
  });
  expect(use.running).toBe(0);
});

test('a server that ends in the middle of a reply is followed: told as a restart, asked again', async () => {
  const down = new AbortController();
  const first = await serve(dies(down));
  const second = await serve(say('whole'));
  const use = useOf([lifeAt(first, down), lifeAt(second)]);
  const told: string[] = [];
  const reply = await served(use).chat.complete(
    request({
      onDelta: (piece) => told.push(piece.kind === 'restart' ? `(${piece.reason})` : piece.text),
    }),
  );
  expect([reply.content, told]).toEqual(['whole', ['lost', '(the model server ended)', 'whole']]);
  expect([first.requests.length, second.requests.length, use.running]).toEqual([1, 1, 0]);
});

test('one that ended for good: its cause and remedy are the error', async () => {
  const down = new AbortController();
  const first = await serve(dies(down));
  const over = new VivariumError('engine_failed', 'it failed: no memory', 'Use less.');
  const use = useOf([lifeAt(first, down), over]);
  await expect(served(use).chat.complete(request())).rejects.toBe(over);
  expect(use.running).toBe(0);
});

test("the caller's abort wins over the end of the server", async () => {
  const down = new AbortController();
  const cancel = new AbortController();
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setTimeout(() => {
      cancel.abort(new Error('Ctrl-C'));
      down.abort(new Error('down'));
    }, 20);
  });
  const use = useOf([lifeAt(server, down)]);
  const asking = served(use).chat.complete(request({ signal: cancel.signal }));
  await expect(asking).rejects.toThrow('Ctrl-C');
  expect([server.requests.length, use.running]).toEqual([1, 0]);
});

test('what is known of it goes into the provenance; closing twice releases once', async () => {
  const use = useOf([]);
  const model = served(use);
  expect(model.info).toEqual({
    engine: 'llamacpp',
    name: 'frog',
    spec: 'frog',
    contextTokens: 4096,
    sha256: '0'.repeat(64),
    details: {
      preset: 'plain',
      architecture: 'Qwen3_5ForConditionalGeneration',
      quantisation: 'bfloat16',
      parameters: 4_540_000_000,
      trainedContextTokens: 262_144,
      engineVersion: '0.33.0',
      sequences: 1,
      licence: 'mit',
      chatTemplateSha256: '0'.repeat(64),
    },
  });
  expect([model.pid, model.started, await model.memoryBytes?.()]).toEqual([8, true, 7]);
  await Promise.all([model.close(), model.close()]);
  expect(use.released).toBe(1);
});
