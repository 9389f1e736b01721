import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mixSeed, sha256 } from '../../../lib/index.ts';
import { openModel } from '../../open-model.ts';
import { parseModelSpec } from '../../spec.ts';
import type { ChatMessage, Completion, ModelHandle } from '../../types.ts';
import { parseScript } from './format.ts';
import { serveScript } from './server.ts';

let folder: string;
const handles: ModelHandle[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vivarium-scripted-'));
});

afterEach(async () => {
  for (const handle of handles.splice(0)) await handle.close();
  await rm(folder, { recursive: true });
});

async function open(text: string): Promise<ModelHandle> {
  const file = path.join(folder, 'script.jsonl');
  await writeFile(file, text);
  const handle = await openModel(parseModelSpec(`script:${file}`), { home: folder, env: {} });
  handles.push(handle);
  return handle;
}

function ask(
  handle: ModelHandle,
  turns: number,
  seed?: number,
  content = 'go',
): Promise<Completion> {
  const messages: ChatMessage[] = [{ role: 'user', content }];
  for (let n = 0; n < turns; n += 1) messages.push({ role: 'assistant', content: 'x' });
  const sampling = seed === undefined ? {} : { seed };
  return handle.chat.complete({ messages, tools: [], sampling, maxTokens: 100 });
}

test('replies by the number of assistant messages, whatever the order of asking', async () => {
  const text = [
    '{"comment": "two replies"}',
    '{"content": "Ünï𝒸ode and more than twenty-four characters", "reasoning_content": "why",',
    ' "tool_calls": [{"name": "Read", "arguments": {"file_path": "a"}}]}',
  ]
    .join('\n')
    .replace('",\n ', '", ');
  const handle = await open(
    `${text}\r\n\n{"tool_calls": [{"id": "mine", "type": "function", "function": {"name": "Bash", "arguments": "not json"}}]}\n`,
  );
  const second = await ask(handle, 1);
  const first = await ask(handle, 0);
  const again = await ask(handle, 0);
  expect(first).toMatchObject({
    content: 'Ünï𝒸ode and more than twenty-four characters',
    reasoning: 'why',
    toolCalls: [{ id: 'call_0_0', name: 'Read', arguments: '{"file_path":"a"}' }],
    finish: 'calls',
    usage: { promptTokens: null, completionTokens: null, cachedTokens: null },
  });
  expect({ ...again, timings: null }).toEqual({ ...first, timings: null });
  expect(second.toolCalls).toEqual([{ id: 'mine', name: 'Bash', arguments: 'not json' }]);
  expect(handle.info).toEqual({
    engine: 'scripted',
    name: 'scripted',
    spec: `script:${path.join(folder, 'script.jsonl')}`,
    contextTokens: null,
    sha256: sha256(
      `${text}\r\n\n{"tool_calls": [{"id": "mine", "type": "function", "function": {"name": "Bash", "arguments": "not json"}}]}\n`,
    ),
    details: { replies: 2 },
  });
});

test('past the end: an error that says so, at once', async () => {
  const handle = await open('{"content": "only"}');
  await expect(ask(handle, 1)).rejects.toMatchObject({
    code: 'endpoint_error',
    message: expect.stringContaining(
      '410: the script is at its end: it has 1 replies for this attempt and one more was asked for',
    ) as string,
  });
});

test('name, window and usage are those the script states', async () => {
  const handle = await open(
    '{"script": {"model": "frog", "context_tokens": 300}}\n' +
      '{"content": "a", "usage": {"prompt_tokens": 200, "completion_tokens": 3, "cached_tokens": 150}}\n' +
      '{"content": "b", "usage": {"prompt_tokens": 301, "completion_tokens": 3}}',
  );
  expect([handle.info.name, handle.info.contextTokens]).toEqual(['frog', 300]);
  expect((await ask(handle, 0)).usage).toEqual({
    promptTokens: 200,
    completionTokens: 3,
    cachedTokens: 150,
  });
  await expect(ask(handle, 1)).rejects.toMatchObject({ name: 'ContextOverflowError' });
});

test('other people have no access; an answer as a whole is served too', async () => {
  const server = await serveScript(parseScript('{"content": "c", "delay_ms": 1}', 'f'), 'key');
  const base = `http://127.0.0.1:${String(server.port)}`;
  const post = (key: string, body: string) =>
    fetch(`${base}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    });
  const whole = await post('key', '{"messages": [{"role": "user", "content": "x"}]}');
  expect(await whole.json()).toEqual({
    id: 'scripted-0',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: 'c' }, finish_reason: 'stop' }],
  });
  const statuses = [
    await post('wrong', '{}'),
    await post('key', 'not json'),
    await post('key', '{"model": "other", "messages": []}'),
    await fetch(`${base}/v1/models`),
    await fetch(`${base}/other`, { headers: { authorization: 'Bearer key' } }),
  ].map((response) => response.status);
  expect(statuses).toEqual([401, 400, 404, 401, 404]);
  await server.close();
  await server.close();
  await expect(fetch(base)).rejects.toThrow('fetch failed');
});

test('a section is chosen by the first user message before it is by the seed', async () => {
  const handle = await open(
    [
      '{"content": "any"}',
      '{"seed": 2}\n{"content": "seed 2"}',
      '{"when": "shop.py"}\n{"content": "shop"}',
      '{"when": "shop.py", "seed": 2}\n{"content": "shop 2"}',
    ].join('\n'),
  );
  const said = async (content: string, seed: number) => {
    const mixed = mixSeed(seed, 1);
    return (await ask(handle, 0, mixed, content)).content;
  };
  expect(await said('Fix it', 1)).toBe('any');
  expect(await said('Fix it', 2)).toBe('seed 2');
  expect(await said('In shop.py, fix it', 1)).toBe('shop');
  expect(await said('In shop.py, fix it', 2)).toBe('shop 2');
});

test('close ends a reply that is still being waited for', async () => {
  const handle = await open('{"content": "late", "delay_ms": 60000}');
  const reply = ask(handle, 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await handle.close();
  await expect(reply).rejects.toMatchObject({ code: 'endpoint_unreachable' });
});

test.each([
  ['{"content": "a"}\n{"content": ', 'line 2: not JSON: '],
  ['\n\n[1]', 'line 3: not a JSON object'],
  ['{"contents": "a"}', 'line 1: Unrecognized key: "contents"'],
  ['{"tool_calls": [{"name": "Read"}]}', 'line 1: Invalid input at tool_calls.0'],
  ['{"fault": "fire"}', 'line 1: Invalid'],
  ['{"seed": 1}\n{"seed": 1}', 'line 2: seed 1 was used before'],
  ['{"when": "a"}\n{"content": "x"}\n{"when": "a"}', 'line 3: this "when" was used before'],
  ['{"when": ""}', 'line 1: Too small'],
  ['\n', 'holds no reply'],
])('a script that is wrong is refused with its line: %s', async (text, message) => {
  await expect(open(text)).rejects.toMatchObject({
    code: 'script_invalid',
    message: expect.stringContaining(message) as string,
    next: 'Correct the script; docs/scripted-model.md describes its lines.',
  });
});

test('a script that is a pipe or a device is refused, not waited for or read without end', async () => {
  const pipe = path.join(folder, 'pipe.jsonl');
  execFileSync('mkfifo', [pipe]);
  for (const file of [pipe, '/dev/zero']) {
    const opened = openModel(parseModelSpec(`script:${file}`), { home: folder, env: {} });
    await expect(opened).rejects.toMatchObject({
      code: 'script_invalid',
      message: `the script ${file} can't be read: it is a pipe or a device, not a file`,
    });
  }
});

test('a script that is missing or a folder', async () => {
  for (const file of [path.join(folder, 'none.jsonl'), folder]) {
    const opened = openModel(parseModelSpec(`script:${file}`), { home: folder, env: {} });
    await expect(opened).rejects.toMatchObject({
      code: 'script_invalid',
      message: expect.stringContaining(`the script ${file} can't be read: `) as string,
    });
  }
});
