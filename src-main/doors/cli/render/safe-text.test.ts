import { expect, test } from 'vitest';
import { jsonText, oneLine, pathText, safeLines } from './safe-text.ts';

const HOSTILE = 'a\x1b[2J\x1b]0;owned\x07b\u202ec\u009b31md\r\ne\u2028f\tg  h';

test('P10: nothing in foreign text acts on a terminal', () => {
  expect(oneLine(HOSTILE)).toBe('a\\x1b[2J\\x1b]0;owned\\x07b\\u{202e}c\\x9b31md e\\u{2028}f g h');
  expect(pathText('a  b\n\x1b[31m')).toBe('a  b\\n\\x1b[31m');
  expect(safeLines('a\x1b[m\r\n\tb\rc')).toEqual(['a\\x1b[m', '    b\\rc']);
});

test('P10: JSON stays the same value and shows every hidden character', () => {
  const value = { [HOSTILE]: [HOSTILE, '\ufeff\u00ad\u2066', '漢é'] };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.endsWith('}\n')).toBe(true);
  expect(text.slice(0, -1)).toMatch(/^[\x20-\x7e漢é]*$/);
});
