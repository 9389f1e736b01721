import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { openModel } from '../../open-model.ts';
import { parseModelSpec } from '../../spec.ts';
import {
  say,
  serveAnswers,
  status,
  type Answer,
  type TestServer,
} from '../../testing/http-server.ts';
import type { ModelHandle } from '../../types.ts';

const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that answers by path; what is not listed is 404. */
async function serve(
  pages: Record<string, Answer | object>,
  options: { host?: string; port?: number } = {},
): Promise<TestServer> {
  const server = await serveAnswers(
    [
      (response, seen) => {
        const page = pages[seen.path.replace(/\?.*/, '')];
        const answer = typeof page === 'function' ? (page as Answer) : null;
        if (answer) answer(response, seen);
        else status(page ? 200 : 404, page ?? { detail: 'Not Found' })(response, seen);
      },
    ],
    options,
  );
  servers.push(server);
  return server;
}

function open(spec: string, env: Record<string, string> = {}): Promise<ModelHandle> {
  return openModel(parseModelSpec(spec), { home: 'unused', env });
}

const list = (...rows: object[]) => ({ object: 'list', data: rows });
const chatPage = { '/v1/chat/completions': say('hello') };

async function ask(handle: ModelHandle): Promise<string> {
  const reply = await handle.chat.complete({
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    sampling: {},
    maxTokens: 10,
  });
  return reply.content;
}

test('L08 the window of vLLM and SGLang', async () => {
  const row = { id: 'frog', owned_by: 'vllm', max_model_len: 65536 };
  const server = await serve({ '/v1/models': list(row), ...chatPage });
  const handle = await open(server.url);
  expect(handle.info).toEqual({
    engine: 'endpoint',
    name: 'frog',
    spec: `${server.url}#frog`,
    contextTokens: 65536,
    sha256: null,
    details: { server: 'vllm' },
  });
  expect(await ask(handle)).toBe('hello');
  expect(server.requests.at(-1)?.body['model']).toBe('frog');
  await handle.close();
  await handle.close();
});

test('L08 the window of llama.cpp is that of a slot, not what the model was trained with', async () => {
  const row = { id: 'm', owned_by: 'llamacpp', meta: { n_ctx_train: 262144 } };
  const props = { default_generation_settings: { n_ctx: 8192 }, build_info: 'b9000' };
  const server = await serve({ '/v1/models': list(row), '/props': props });
  const { info } = await open(`http://127.0.0.1:${String(server.port)}`);
  expect([info.contextTokens, info.details]).toEqual([
    8192,
    { server: 'llamacpp', build: 'b9000' },
  ]);
});

test.each([
  [{ '/v1/models': list({ id: 'm', loaded_context_length: 4096 }) }, 4096],
  [{ '/v1/models': list({ id: 'm', meta: { n_ctx: 2048 } }) }, 2048],
  [{ '/v1/models': list({ id: 'm' }), '/get_server_info': { context_length: 32768 } }, 32768],
  [{ '/v1/models': list({ id: 'm', max_model_len: 'many' }) }, null],
])('L08 other ways to name the window: %o', async (pages, contextTokens) => {
  const server = await serve(pages);
  expect((await open(server.url)).info.contextTokens).toBe(contextTokens);
});

test('names: the only one may be left out; unknown ones are answered with those that exist', async () => {
  const two = await serve({ '/v1/models': list({ id: 'a' }, { id: 'b' }) });
  await expect(open(two.url)).rejects.toMatchObject({
    code: 'model_spec_invalid',
    message: `${two.url} has 2 models and none was named`,
    next: 'Add #name to the URL; there are: a, b.',
  });
  await expect(open(`${two.url}#c`)).rejects.toMatchObject({
    code: 'model_spec_invalid',
    message: `${two.url} has no model "c"`,
    next: 'Use one of those it has: a, b.',
  });
  expect((await open(`${two.url}#b`)).info.name).toBe('b');
});

test('a base without /v1 is found; a server without a list takes the name as it is', async () => {
  const below = await serve({ '/proxy/v1/models': list({ id: 'm' }) });
  const { info } = await open(`http://127.0.0.1:${String(below.port)}/proxy`);
  expect(info.spec).toBe(`http://127.0.0.1:${String(below.port)}/proxy/v1#m`);
  const listless = await serve({});
  expect((await open(`${listless.url}#mine`)).info.name).toBe('mine');
  await expect(open(listless.url)).rejects.toMatchObject({ code: 'model_spec_invalid' });
});

test('keys: from the environment, or the URL, sent but never recorded', async () => {
  const server = await serve({ '/v1/models': list({ id: 'm' }), ...chatPage });
  const handle = await open(server.url, { VIVARIUM_API_KEY: 'from-env' });
  expect(await ask(handle)).toBe('hello');
  const seen = () => new Set(server.requests.map((request) => request.headers.authorization));
  expect(seen()).toEqual(new Set(['Bearer from-env']));
  server.requests.length = 0;
  const host = `127.0.0.1:${String(server.port)}`;
  const inUrl = await open(`http://me:pass@${host}?token=t0ken#m`, {
    VIVARIUM_API_KEY: 'from-env',
  });
  expect(await ask(inUrl)).toBe('hello');
  expect(seen()).toEqual(new Set([`Basic ${Buffer.from('me:pass').toString('base64')}`]));
  expect(server.requests.every(({ path }) => path.endsWith('?token=t0ken'))).toBe(true);
  expect(JSON.stringify(inUrl.info)).not.toMatch(/pass|t0ken|me:/);
  server.requests.length = 0;
  await ask(await open(`http://only-key@${host}`));
  expect(seen()).toEqual(new Set(['Bearer only-key']));
  server.requests.length = 0;
  await ask(await open(server.url));
  expect(seen()).toEqual(new Set([undefined]));
});

test('wrong key, dead endpoint, not a model server: each its own error, no key shown', async () => {
  const locked = await serve({ '/v1/models': status(401, { error: 'key s3cret is wrong' }) });
  await expect(open(locked.url, { VIVARIUM_API_KEY: 's3cret' })).rejects.toMatchObject({
    code: 'endpoint_refused',
    message: `${locked.url} refused access: 401: key *** is wrong`,
  });
  await locked.close();
  await expect(open(`http://u:pass@127.0.0.1:${String(locked.port)}`)).rejects.toMatchObject({
    code: 'endpoint_unreachable',
    message: `nothing answers at ${locked.url}: connect ECONNREFUSED 127.0.0.1:${String(locked.port)}`,
  });
  const page = await serve({ '/v1/models': status(200, '<html>hello</html>') });
  await expect(open(page.url)).rejects.toMatchObject({
    code: 'endpoint_error',
    message: `${page.url} does not answer like a model server: its answer to GET /models is not a list of models`,
  });
});

test('a server that is still loading is waited for', async () => {
  let asked = 0;
  const models: Answer = (response, seen) => {
    asked += 1;
    if (asked < 3) status(503, { error: { message: 'Loading model' } })(response, seen);
    else status(200, list({ id: 'm' }))(response, seen);
  };
  const server = await serve({ '/v1/models': models });
  const lines: string[] = [];
  const handle = await openModel(parseModelSpec(server.url), {
    home: 'unused',
    env: {},
    onLog: (line) => lines.push(line),
  });
  expect([handle.info.name, asked, lines]).toEqual([
    'm',
    3,
    [`${server.url} is still loading its model`],
  ]);
});

test.each(['127.0.0.1', '::1'])('S09 localhost that listens only on %s', async (host) => {
  const server = await serve({ '/v1/models': list({ id: 'm' }), ...chatPage }, { host });
  const handle = await open(`http://localhost:${String(server.port)}/v1`);
  expect(await ask(handle)).toBe('hello');
});

test('S08 loopback is never proxied, whatever the environment says', async () => {
  const server = await serve({ '/v1/models': list({ id: 'm' }), ...chatPage });
  const proxy = await serve({});
  const code = `
    const { openModel, parseModelSpec } = await import(process.env.INDEX);
    const handle = await openModel(parseModelSpec(process.env.SPEC), { home: '', env: {} });
    const reply = await handle.chat.complete({
      messages: [{ role: 'user', content: 'hi' }], tools: [], sampling: {}, maxTokens: 5,
    });
    console.log(reply.content);`;
  const proxyUrl = `http://127.0.0.1:${String(proxy.port)}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    {
      env: {
        INDEX: fileURLToPath(new URL('../../index.ts', import.meta.url)),
        SPEC: `http://localhost:${String(server.port)}`,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxyUrl,
        http_proxy: proxyUrl,
        ALL_PROXY: proxyUrl,
        OPENAI_BASE_URL: proxyUrl,
        OPENAI_API_KEY: 'not-for-you',
      },
    },
  );
  expect(stdout).toBe('hello\n');
  expect(proxy.requests).toEqual([]);
  expect(server.requests.map((request) => request.headers.authorization)).not.toContain(
    'Bearer not-for-you',
  );
});
