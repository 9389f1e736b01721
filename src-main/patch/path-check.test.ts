import { expect, test } from 'vitest';
import { linkPathProblem, pathProblem } from './path-check.ts';

test.each([
  '../x',
  '..',
  '.',
  'a/..',
  'a/./b',
  '/a',
  'a//b',
  'a/',
  '',
  'a\0b',
  '.git',
  '.git/x',
  'a/.git',
  '.GIT/config',
  '.gIt/x',
  '.git/../x',
  '.g\u200dit/x',
  '\ufeff.git/x',
  '.gi\u202et/x',
  '.git \u200c./x',
  'GIT~1/x',
  '.git./x',
  '.git /x',
  '.git...  /x',
  '.git:stream/x',
  '.git::$INDEX_ALLOCATION/x',
  'a\\.git\\x',
  'a\\..\\x',
  `${'a/'.repeat(2048)}b`,
  'ä'.repeat(128),
  'x\udc00',
])('P06 refused: %j', (path) => {
  expect(pathProblem(path)).toBeTypeOf('string');
});

test.each([
  'a',
  '.gitignore',
  '.gitmodules',
  '.github/workflows/x.yml',
  'git',
  '.gita/x',
  'x.git/y',
  'git~2',
  '...',
  '..a',
  '-x',
  ' ',
  'a b',
  'new\nline',
  'q"q',
  'a\\b',
  'C:x',
  'ä'.repeat(127),
  '😀',
  ':(top)x',
])('P06 allowed: %j', (path) => {
  expect(pathProblem(path)).toBeUndefined();
});

test('P06 a link in place of .gitmodules is refused in every disguise', () => {
  for (const path of [
    '.gitmodules',
    'a/.GitModules',
    '.gitmodules.',
    'GITMOD~1',
    'gi7eba~1',
    '.git\u200cmodules',
  ]) {
    expect(linkPathProblem(path)).toBeTypeOf('string');
    expect(pathProblem(path)).toBeUndefined();
  }
  expect(linkPathProblem('gitmodules')).toBeUndefined();
});
