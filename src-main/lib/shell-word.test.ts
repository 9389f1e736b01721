import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test('shell words', () => {
  expect(['/a/b-c.patch', "it's $(x)", ''].map(shellWord)).toEqual([
    '/a/b-c.patch',
    "'it'\\''s $(x)'",
    "''",
  ]);
});

test.each(['plain', 'a\'b"c', '$(touch x); `y` \\', 'two\nlines', '-C', '~', '*'])(
  'a shell reads %j as it was',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`]).toString()).toBe(text);
  },
);
