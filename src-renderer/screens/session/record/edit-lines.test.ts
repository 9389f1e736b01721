import { describe, expect, it } from 'vitest';
import { editLines } from './edit-lines.ts';

const SIGNS = { same: ' ', del: '-', add: '+' };

function told(before: string, after: string): string[] {
  return editLines(before, after).map(({ kind, text }) => SIGNS[kind] + text);
}

describe('lines of an edit', () => {
  it.each([
    ['a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c']],
    ['a\nb', 'a\nx\nb', [' a', '+x', ' b']],
    ['a\nx\nb', 'a\nb', [' a', '-x', ' b']],
    ['a\na', 'a', [' a', '-a']],
    ['p\nq\nr\ns', 'q\nr\nt', ['-p', ' q', ' r', '-s', '+t']],
    ['a', 'a', [' a']],
    ['', 'x', ['+x']],
    ['x\n', '', ['-x', '-']],
    ['a\nb\n', 'a\nc\n', [' a', '-b', '+c']],
    ['a\n', 'a', [' a', '-']],
  ])('%j to %j', (before, after, lines) => {
    expect(told(before, after)).toEqual(lines);
  });

  it('shows a large middle as removed, then added', () => {
    const before = Array.from({ length: 600 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 600 }, (_, index) => `new ${index}`);
    const lines = told(before.join('\n'), after.join('\n'));
    expect(lines).toHaveLength(1200);
    expect([lines[0], lines[599], lines[600]]).toEqual(['-old 0', '-old 599', '+new 0']);
  });
});
