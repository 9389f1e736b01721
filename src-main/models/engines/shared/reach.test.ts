import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ReachInput, ServerEngine } from '../../servers/types.ts';
import { type Answer, serveAnswers, status, type TestServer } from '../../testing/http-server.ts';
import { createLlamaServerEngine } from '../llama-server/index.ts';
import { createSglangEngine } from '../sglang/index.ts';
import { createVllmEngine } from '../vllm/index.ts';

const vllm = createVllmEngine();
const sglang = createSglangEngine();
const llamaServer = createLlamaServerEngine();

/** A server that answers by path. */
async function serve(pages: Record<string, Answer | object>): Promise<TestServer> {
  const server = await serveAnswers([
    (response, seen) => {
      const page = pages[seen.path];
      if (typeof page === 'function') (page as Answer)(response, seen);
      else status(page ? 200 : 404, page ?? { detail: 'Not Found' })(response, seen);
    },
  ]);
  onTestFinished(() => server.close());
  return server;
}

function input(port: number): ReachInput {
  return {
    root: `http://127.0.0.1:${String(port)}`,
    key: 'the-key',
    servedName: 'frog-n0nce',
    signal: new AbortController().signal,
  };
}

const list = (...rows: object[]) => ({ object: 'list', data: rows });
const ours = { id: 'frog-n0nce', owned_by: 'vllm', max_model_len: 65_536 };

test('ready: it lists our name to our key, and says its real window', async () => {
  const server = await serve({ '/v1/models': list(ours) });
  expect(await vllm.reach(input(server.port))).toEqual({
    state: 'ready',
    contextTokens: 65_536,
    details: { server: 'vllm' },
  });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer the-key');
});

test('llama-server: the window of a slot, how many there are, and its build', async () => {
  const server = await serve({
    '/v1/models': list({ id: 'frog-n0nce', owned_by: 'llamacpp' }),
    '/props': {
      default_generation_settings: { n_ctx: 8_192 },
      total_slots: 2,
      build_info: 'b1-80fb11a',
      chat_template: '12345',
    },
  });
  expect(await llamaServer.reach(input(server.port))).toEqual({
    state: 'ready',
    contextTokens: 8_192,
    details: { server: 'llamacpp', build: 'b1-80fb11a', slots: 2, chatTemplateLength: 5 },
  });
});

test('S04 SGLang lists its model before it can serve: its own page tells', async () => {
  const row = { id: 'frog-n0nce', owned_by: 'sglang', max_model_len: 131_072 };
  const pages: Record<string, object> = {
    '/v1/models': list(row),
    '/ready': status(503, 'not yet'),
    '/get_server_info': { version: '0.5.23' },
  };
  const server = await serve(pages);
  expect(await sglang.reach(input(server.port))).toEqual({
    state: 'loading',
    detail: 'it is warming up',
  });
  pages['/ready'] = status(200, '');
  const ready = {
    state: 'ready',
    contextTokens: 131_072,
    details: { server: 'sglang', version: '0.5.23' },
  };
  expect(await sglang.reach(input(server.port))).toEqual(ready);
  // Older versions have only the page of health.
  delete pages['/ready'];
  pages['/health'] = status(503, '');
  expect((await sglang.reach(input(server.port))).state).toBe('loading');
  pages['/health'] = status(200, '');
  expect(await sglang.reach(input(server.port))).toEqual(ready);
});

test.each([
  ['vllm', vllm, 'dead'],
  ['sglang', sglang, 'loading'],
  ['llama-server', llamaServer, 'loading'],
] as [string, ServerEngine, string][])('503 of %s', async (_name, engine, state) => {
  const server = await serve({
    '/v1/models': status(503, { error: { message: 'Loading model', code: 503 } }),
  });
  expect((await engine.reach(input(server.port))).state).toBe(state);
});

test('S02 a server of someone else is foreign, whatever its health page says', async () => {
  const reach = async (models: Answer | object): Promise<unknown> => {
    const server = await serve({ '/v1/models': models, '/health': status(200, '') });
    return vllm.reach(input(server.port));
  };
  expect(await reach(list({ id: 'other' }, { id: 'x'.repeat(200) }))).toEqual({
    state: 'foreign',
    detail: `a server answers there that serves other, ${'x'.repeat(80)}`,
  });
  expect(await reach(list())).toEqual({
    state: 'foreign',
    detail: 'a server answers there that serves nothing',
  });
  expect(await reach(status(401, { error: 'Unauthorized' }))).toEqual({
    state: 'foreign',
    detail: 'a server answers there that refuses our key',
  });
  for (const page of [status(404, {}), status(200, '<html>'), status(302, ''), status(500, '')]) {
    expect(await reach(page)).toMatchObject({ state: 'foreign' });
  }
});

test('S04 nothing listens, or hangs up: it is loading; whoever asks may stop', async () => {
  const server = createTcpServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await vllm.reach(input(port))).toMatchObject({ state: 'loading' });
  await new Promise((resolve) => server.close(resolve));
  expect(await vllm.reach(input(port))).toEqual({
    state: 'loading',
    detail: 'it does not listen yet',
  });
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await expect(vllm.reach({ ...input(port), signal: stop.signal })).rejects.toThrow('enough');
});

test('our key goes nowhere but to loopback', async () => {
  const away = { ...input(1), root: 'http://192.0.2.1:80' };
  await expect(vllm.reach(away)).rejects.toThrow('is on loopback, not at 192.0.2.1');
});

test('figures: read with our key; a page that cannot be read is none', async () => {
  const text: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('vllm:num_requests_running{engine="0"} 1\n');
  };
  const pages: Record<string, Answer> = { '/metrics': text };
  const server = await serve(pages);
  expect(await vllm.figures(input(server.port))).toMatchObject({ running: 1, waiting: null });
  pages['/metrics'] = status(500, '');
  expect(await vllm.figures(input(server.port))).toBe(null);
  expect(await vllm.figures(input(1))).toBe(null);
});
