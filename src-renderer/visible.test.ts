import { describe, expect, it } from 'vitest';
import { visibleLine, visibleParts, visibleText, withoutTerminalCodes } from './visible.ts';

describe('foreign text', () => {
  it('shows what hides, by name', () => {
    expect(visibleParts('a\u202Eb\u0000')).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'hidden', escape: '\\u{202e}', name: 'U+202E right-to-left override' },
      { kind: 'plain', text: 'b' },
      { kind: 'hidden', escape: '\\x00', name: 'U+0000 NUL' },
    ]);
  });

  it('leaves emoji with their joiners whole', () => {
    const family = 'x \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f';
    expect(visibleParts(family)).toEqual([{ kind: 'plain', text: family }]);
    expect(visibleText('a\u200db')).toBe('a\\u{200d}b');
  });

  it('puts a text on one line where it has to', () => {
    expect(visibleLine('a\tb\r\nc')).toBe('a\\tb\\r\\nc');
    expect(visibleParts('')).toEqual([]);
  });

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPquery\u001b\\x', 'x'],
    ['\u009b1mbold', 'bold'],
    ['\u001b(Bx\u001b=y\u001bcz', 'xyz'],
    ['10 %\r20 %\r\ndone', '10 %\n20 %\ndone'],
    ['\u001b]unfinished', '\u001b]unfinished'],
    ['plain [0m', 'plain [0m'],
  ])('takes the codes of a terminal out of %j', (text, plain) => {
    expect(withoutTerminalCodes(text)).toBe(plain);
  });
});
