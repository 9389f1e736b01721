import { describe, expect, it } from 'vitest';
import { replacementOf, unwrapped, wholeFile } from './values.ts';

describe('L10 values', () => {
  it.each([
    ['\n    x = 1\n', '    x = 1'],
    ['    x = 1', '    x = 1'],
    ['\r\nx\r\n', 'x'],
    ['\n\nx\n\n', '\nx\n'],
    ['', ''],
  ])('%j is %j', (value, text) => {
    expect(unwrapped(value)).toBe(text);
  });

  it('a file keeps the line break of its last line', () => {
    expect(wholeFile('\nimport a\nb()\n')).toBe('import a\nb()\n');
    expect(wholeFile('import a')).toBe('import a');
  });

  it('texts are taken as they are written', () => {
    const old = '\n    def f():\n        return 1\n';
    expect(replacementOf(old, '\n    def f():\n        return 2\n')).toEqual({
      old: '    def f():\n        return 1',
      new: '    def f():\n        return 2',
    });
    // Out of a class: the other lines say that it is meant.
    expect(replacementOf(old, '\ndef f():\n    return 2\n').new).toBe('def f():\n    return 2');
  });

  it('a first line without its indent means the one that stands there', () => {
    const old = '\n    def f():\n        return 1\n';
    expect(replacementOf(old, '\ndef f():\n        return 2\n').new).toBe(
      '    def f():\n        return 2',
    );
    expect(replacementOf('    x = 1', 'x = 2').new).toBe('    x = 2');
    expect(replacementOf('    x = 1\n', '').new).toBe('');
  });
});
