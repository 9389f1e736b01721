import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseModelSpec, shownSpec } from './spec.ts';

const plain = { user: '', password: '', query: {} };

test('files', () => {
  expect(parseModelSpec('script:/a/b c.jsonl')).toEqual({ kind: 'script', file: '/a/b c.jsonl' });
  expect(parseModelSpec(' gguf:~/m.gguf ')).toEqual({
    kind: 'gguf',
    file: path.join(homedir(), 'm.gguf'),
  });
  expect(parseModelSpec('gguf:m.gguf')).toEqual({ kind: 'gguf', file: path.resolve('m.gguf') });
});

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1', null],
  ['http://127.0.0.1:8000/#', 'http://127.0.0.1:8000/v1', null],
  ['HTTP://localhost:8000/v1/#Org/Name-4B', 'http://localhost:8000/v1', 'Org/Name-4B'],
  ['http://[::1]:1/api/v3#a%20b', 'http://[::1]:1/api/v3', 'a b'],
  ['https://host/v1/chat/completions#m', 'https://host/v1', 'm'],
  ['http://host#100%', 'http://host/v1', '100%'],
])('endpoint %s', (text, baseUrl, model) => {
  expect(parseModelSpec(text)).toEqual({ kind: 'endpoint', baseUrl, model, ...plain });
});

test('a name of the library', () => {
  expect(parseModelSpec('frognano-4b')).toEqual({ kind: 'library', name: 'frognano-4b' });
  expect(shownSpec({ kind: 'library', name: 'frognano-4b' })).toBe('frognano-4b');
});

test('a key, password or query of the URL is kept apart and never shown', () => {
  const spec = parseModelSpec('https://me:p%40ss@host:1/v1?key=abc&v=2#name');
  expect(spec).toEqual({
    kind: 'endpoint',
    baseUrl: 'https://host:1/v1',
    model: 'name',
    user: 'me',
    password: 'p@ss',
    query: { key: 'abc', v: '2' },
  });
  expect(shownSpec(spec)).toBe('https://host:1/v1#name');
});

test.each([
  ['', 'no model is named', /^Use a name of `vivarium models list`, script:FILE/],
  ['gguf:', 'no file is named after "gguf:"', /^Use a name of `vivarium models list`, script:FILE/],
  ['model.gguf', '"model.gguf" names no model', /gguf:model\.gguf\?$/],
  ['FrogNano', '"FrogNano" names no model', /^Use a name/],
  ['../x', '"../x" names no model', /^Use a name/],
  ['replies.jsonl', '"replies.jsonl" names no model', /script:replies\.jsonl\?$/],
  ['localhost:8000#x', '"localhost:8000#x" names no model', /http:\/\/localhost:8000#x\?$/],
  [
    'ftp://me:pass@host/x?key=1',
    '"ftp://host/x" names no model',
    /^Use a name of `vivarium models list`, script:FILE/,
  ],
  [
    'http://me:pass@:99999',
    '"http://:99999" is not a URL',
    /^Use a name of `vivarium models list`, script:FILE/,
  ],
])('not a model: %s', (text, message, next) => {
  expect(() => parseModelSpec(text)).toThrow(
    expect.objectContaining({
      code: 'model_spec_invalid',
      message,
      next: expect.stringMatching(next) as string,
    }) as Error,
  );
});
