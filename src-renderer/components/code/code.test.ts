import { describe, expect, it } from 'vitest';
import { highlightedLines } from './highlight.ts';
import { cutLine, languageOf, linesOf, shownLines } from './lines.ts';

describe('lines of code', () => {
  it('opens no line after the last line feed', () => {
    expect(linesOf('a\nb\n')).toEqual(['a', 'b']);
    expect(linesOf('a\n\n')).toEqual(['a', '']);
    expect(linesOf('')).toEqual(['']);
  });

  it('cuts a line of megabytes and says how much is missing', () => {
    const { shown, rest } = cutLine('x'.repeat(5_000_000));
    expect([shown.length, rest]).toEqual([2_000, 4_998_000]);
    expect(cutLine('short')).toEqual({ shown: 'short', rest: 0 });
  });

  it('hides lines only where it is worth a button', () => {
    expect([
      shownLines(40, 40),
      shownLines(48, 40),
      shownLines(49, 40),
      shownLines(900, null),
    ]).toEqual([40, 48, 40, 900]);
  });

  it.each([
    ['src/a.py', 'python'],
    ['Makefile', 'makefile'],
    ['a.b/README', null],
    ['x.TSX', 'typescript'],
    ['.gitignore', null],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it('colours line by line, a string over two lines included', async () => {
    expect(await highlightedLines('python', 'x = """a\nb"""\n')).toEqual([
      [
        { text: 'x = ', className: null },
        { text: '"""a', className: 'hljs-string' },
      ],
      [{ text: 'b"""', className: 'hljs-string' }],
    ]);
    expect(await highlightedLines('no such language', 'x')).toBeNull();
    expect(await highlightedLines('python', 'x'.repeat(200_000))).toBeNull();
  });
});
