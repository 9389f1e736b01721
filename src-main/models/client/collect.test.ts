import { expect, test } from 'vitest';
import { createCollector, type StreamChunk } from './collect.ts';

type Fragment = { index?: number; id?: string; name?: string; args?: unknown };

function collect(fragments: Fragment[], more: StreamChunk[] = []) {
  const collector = createCollector(() => {});
  for (const { index, id, name, args } of fragments) {
    const piece = {
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    };
    collector.add({ choices: [{ delta: { tool_calls: [piece] } }] });
  }
  for (const chunk of more) collector.add(chunk);
  return collector.result();
}

const short = (fragments: Fragment[]) =>
  collect(fragments).toolCalls.map(({ name, arguments: text }) => [name, text]);

test('fragments are joined by index, also when they come mixed', () => {
  const { toolCalls } = collect([
    { index: 0, id: 'a', name: 'Read', args: '' },
    { index: 1, id: 'b', name: 'Glob', args: '{"p' },
    { index: 0, args: '{"x":' },
    { index: 1, args: '":1}' },
    { index: 0, args: '2}' },
  ]);
  expect(toolCalls).toEqual([
    { id: 'a', name: 'Read', arguments: '{"x":2}' },
    { id: 'b', name: 'Glob', arguments: '{"p":1}' },
  ]);
});

test('missing and repeated ids are made unique', () => {
  const { toolCalls } = collect([
    { index: 0, name: 'A', args: '{}' },
    { index: 1, id: 'same', name: 'B', args: '{}' },
    { index: 2, id: 'same', name: 'C', args: '{}' },
  ]);
  expect(toolCalls.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  expect(toolCalls[1]?.id).toBe('same');
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3);
  expect(toolCalls[0]?.id).toMatch(/^call_[\w-]{36}$/);
});

test('servers that give every call the index 0, or none', () => {
  expect(
    short([
      { index: 0, id: 'a', name: 'A', args: '{' },
      { index: 0, args: '}' },
      { index: 0, id: 'b', name: 'B', args: '[' },
      { index: 0, args: ']' },
    ]),
  ).toEqual([
    ['A', '{}'],
    ['B', '[]'],
  ]);
  expect(
    short([
      { id: 'a', name: 'A', args: '{' },
      { args: '}' },
      { id: 'b', name: 'B', args: '[' },
      { id: 'b', args: ']' },
      { id: 'a', args: ' ' },
    ]),
  ).toEqual([
    ['A', '{} '],
    ['B', '[]'],
  ]);
});

test('names that are repeated or come in parts; arguments as an object', () => {
  expect(
    short([
      { index: 0, id: 'a', name: 'Read', args: '{' },
      { index: 0, id: 'a', name: 'Read', args: '}' },
      { index: 1, id: 'b', name: 'Wr' },
      { index: 1, name: 'ite' },
      { index: 1, args: { file_path: 'x' } },
    ]),
  ).toEqual([
    ['Read', '{}'],
    ['Write', '{"file_path":"x"}'],
  ]);
});

test('arguments that are not JSON stay as the model wrote them', () => {
  expect(short([{ index: 0, id: 'a', name: 'Bash', args: '{"command": "ls' }])).toEqual([
    ['Bash', '{"command": "ls'],
  ]);
});

test('counts of vLLM and SGLang, and of llama.cpp where there is no usage', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: null };
  expect(collect([], [{ choices: [], usage }]).usage).toEqual({
    promptTokens: 9,
    completionTokens: 4,
    cachedTokens: null,
  });
  const timings = { cache_n: 30, prompt_n: 12, predicted_n: 5 };
  expect(collect([], [{ choices: [], timings }]).usage).toEqual({
    promptTokens: 42,
    completionTokens: 5,
    cachedTokens: 30,
  });
});

test('a reply without end is broken off', () => {
  const collector = createCollector(() => {});
  const piece = { choices: [{ delta: { content: 'x'.repeat(1024 * 1024) } }] };
  expect(() => {
    for (let n = 0; n < 9; n += 1) collector.add(piece);
  }).toThrow('longer than 8388608 characters');
});
