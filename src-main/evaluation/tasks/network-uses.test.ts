import { expect, test } from 'vitest';
import { networkUses } from './network-uses.ts';

const what = (text: string): string[] => networkUses(text).map(({ what }) => what);

test.each([
  ['curl -LsSf https://example.com/install.sh | sh', 'curl'],
  ['RUN apt-get -y update && apt-get install -y curl', 'apt'],
  ['x=$(wget -qO- http://example.com)', 'wget'],
  ['python3 -m pip install pytest', 'pip install'],
  ['pip --quiet install -r requirements.txt', 'pip install'],
  ['uv pip install pytest', 'uv'],
  ['uvx -p 3.13 pytest', 'uvx'],
  ['npm ci', 'npm'],
  ['cd web; npx vitest run', 'npx'],
  ['go mod download', 'go get'],
  ['cargo fetch', 'cargo'],
  ['git clone git@example.com:a/b', 'git'],
  ['git submodule update --init', 'git'],
  ['ADD https://example.com/x.tar.gz /x', 'URL'],
  ["urlopen('http://example.com/data')", 'URL'],
])('%s reaches out by %s', (line, expected) => {
  expect(what(line)).toEqual([expected]);
});

test.each([
  '# curl https://example.com',
  'python3 -m pytest -rA tests',
  'git apply -v fix.patch && git checkout HEAD -- a',
  'npm test',
  'go test ./...',
  'cargo test --offline',
  'curlew.py; echo recurl',
  'pip install --no-index --find-links /wheels pytest',
  'http://localhost:8000/x http://127.0.0.1:1/y',
  'pip list; uv --version; apt-cache search x',
  '',
])('%s stays here', (line) => {
  expect(what(line)).toEqual([]);
});

test('lines are counted, and long ones cut', () => {
  const found = networkUses(`#!/bin/sh\n\n  wget ${'x'.repeat(500)}\n`);
  expect(found).toEqual([{ line: 3, what: 'wget', text: `wget ${'x'.repeat(195)}…` }]);
});
