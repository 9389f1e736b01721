import { expect, test } from 'vitest';
import { wrapLine } from './wrap.ts';

test('a line is broken between words, blanks inside it kept', () => {
  expect(wrapLine('[1] step  1: Read', 20)).toEqual(['[1] step  1: Read']);
  expect(wrapLine('  [1] step  1: Read | 1.2 MiB', 20)).toEqual([
    '  [1] step  1: Read',
    '    | 1.2 MiB',
  ]);
  expect(wrapLine('漢字 漢字 漢字', 9, ' ')).toEqual(['漢字 漢字', ' 漢字']);
});

test('a word longer than a row stays whole', () => {
  expect(wrapLine('in /a/very/long/path here', 10)).toEqual([
    'in',
    '    /a/very/long/path',
    '    here',
  ]);
});
