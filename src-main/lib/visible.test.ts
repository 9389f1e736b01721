import { describe, expect, test } from 'vitest';
import { hiddenCharacters, visible, visibleLine } from './visible.ts';

describe('visible', () => {
  test('P10 terminal escapes, bidi and zero-width characters show as escapes', () => {
    expect(visible('a\x1b[31mred\x1b[0m')).toBe('a\\x1b[31mred\\x1b[0m');
    expect(visible('\x1b]52;c;aGk=\x07')).toBe('\\x1b]52;c;aGk=\\x07');
    expect(visible('x\u202e\u2066y\u2069z')).toBe('x\\u{202e}\\u{2066}y\\u{2069}z');
    expect(visible('a\u200bb\ufeffc\u00add')).toBe('a\\u{200b}b\\u{feff}c\\xadd');
    expect(visible('tag \u{e0041}')).toBe('tag \\u{e0041}');
    expect(visible('c1 \u009b31m')).toBe('c1 \\x9b31m');
  });

  test('plain text, tabs, line feeds and letters of all scripts stay', () => {
    const text = 'täg\tשלום\nКириллица 漢字 👍 ❤️ 👩🏽‍💻 1️⃣\n';
    expect(visible(text)).toBe(text);
    expect(visible(Buffer.from(text))).toBe(text);
  });

  test('carriage returns and NUL are shown', () => {
    expect(visible('a\r\nb\0')).toBe('a\\r\nb\\x00');
  });

  test('bytes that are not UTF-8 show as hex, the rest of the line stays', () => {
    expect(visible(Buffer.from('caf\xe9 ol\xe9\n', 'latin1'))).toBe('caf\\xe9 ol\\xe9\n');
    expect(visible(Buffer.concat([Buffer.from('ü'), Buffer.from([0xff, 0xc3])]))).toBe(
      'ü\\xff\\xc3',
    );
    // A surrogate written as UTF-8 and an overlong slash are no characters.
    expect(visible(Buffer.from([0xed, 0xa0, 0x80]))).toBe('\\xed\\xa0\\x80');
    expect(visible(Buffer.from([0xc0, 0xaf]))).toBe('\\xc0\\xaf');
  });

  test('lone surrogates are shown, pairs stay', () => {
    expect(visible('\ud83d\ude00 \ud83d.')).toBe('😀 \\u{d83d}.');
  });

  test('visibleLine keeps everything on one line', () => {
    expect(visibleLine('a\tb\nc')).toBe('a\\tb\\nc');
  });
});

describe('hiddenCharacters', () => {
  test('names each once', () => {
    expect(hiddenCharacters('a\u202eb\u202ec\u200b')).toEqual([
      'U+202E right-to-left override',
      'U+200B zero width space',
    ]);
  });

  test('emoji sequences are visible, joiners elsewhere are not', () => {
    expect(hiddenCharacters('❤️ 👩🏽‍💻 1️⃣')).toEqual([]);
    expect(hiddenCharacters('pass\u200dword')).toEqual(['U+200D zero width joiner']);
    expect(hiddenCharacters('x\ufe01\ufe02')).toEqual([
      'U+FE01 invisible character',
      'U+FE02 invisible character',
    ]);
  });

  test('a byte order mark is accepted at the start only', () => {
    expect(hiddenCharacters('\ufeffimport os', { atStart: true })).toEqual([]);
    expect(hiddenCharacters('a\ufeff', { atStart: true })).toEqual([
      'U+FEFF zero width no-break space',
    ]);
  });
});
