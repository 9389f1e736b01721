import { expect, test } from 'vitest';
import { testCommand } from './test-command.ts';

const tree = (files: Record<string, string>) =>
  new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      { path, mode: '100644' as const, content: Buffer.from(text) },
    ]),
  );

test.each<[Record<string, string>, string]>([
  [{ 'setup.py': '' }, 'python3 -m pytest -q'],
  [{ 'go.mod': 'module m\n', 'package.json': '{}' }, 'go test ./...'],
  [{ 'package.json': '{"scripts": {"test": "node --test"}}' }, 'node --test'],
  [{ 'package.json': '{"scripts": {"test": 3}}' }, 'python3 -m pytest -q'],
  [{ 'package.json': 'null' }, 'python3 -m pytest -q'],
  [{ 'package.json': '{' }, 'python3 -m pytest -q'],
])('%j is tested by %s', (files, command) => {
  expect(testCommand(undefined, tree(files))).toBe(command);
});

test('a named command is taken as it is; one that no runner is called in is refused', () => {
  expect(testCommand('mocha -R dot', tree({ 'go.mod': '' }))).toBe('mocha -R dot');
  expect(() => testCommand('make check', tree({}))).toThrow(
    '"make check" calls no runner whose single tests are told',
  );
  const script = tree({ 'package.json': '{"scripts": {"test": "npm run all"}}' });
  expect(() => testCommand(undefined, script)).toThrow('"npm run all" calls no runner');
});
