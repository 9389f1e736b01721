import { describe, expect, it } from 'vitest';
import { parseTestList } from './test-list.ts';

const read = (value: unknown): string[] => parseTestList(value, 'FAIL_TO_PASS');

const refusal = (value: unknown): string => {
  try {
    return `read: ${JSON.stringify(read(value))}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
};

describe('test lists', () => {
  it('are read from a list, JSON text, and JSON text of JSON text', () => {
    const names = ['tests/a.py::test_x[1, 2]', 'ä', 'a "quoted" one', "it's", 'two\nlines', 'a, b'];
    expect(read(names)).toEqual(names);
    expect(read(JSON.stringify(names))).toEqual(names);
    expect(read(JSON.stringify(JSON.stringify(names)))).toEqual(names);
    expect(read(` ${JSON.stringify(names, undefined, 2)}\n`)).toEqual(names);
    expect(read('[]')).toEqual([]);
    expect(read(['a', 'b', 'a'])).toEqual(['a', 'b']);
  });

  it('are read from what Python prints', () => {
    expect(read(`['a::b[x-1]', "it's", 'a "q"', 'tab\\tend']`)).toEqual([
      'a::b[x-1]',
      "it's",
      'a "q"',
      'tab\tend',
    ]);
    expect(read(`('a', 'b')`)).toEqual(['a', 'b']);
    expect(read(`('a',)`)).toEqual(['a']);
    expect(read('()')).toEqual([]);
    expect(read(`['a', 'b',]`)).toEqual(['a', 'b']);
    expect(read(`[\n  'a',  # the first\n  'b' ]`)).toEqual(['a', 'b']);
    expect(read(`['[', ']', ',', '(']`)).toEqual(['[', ']', ',', '(']);
  });

  it('know every escape of Python, and keep the backslash of those it does not know', () => {
    expect(read(String.raw`['\x41\u00e9\U0001f600\101\0']`)).toEqual(['Aé😀A\0']);
    expect(read(String.raw`['\a\b\f\n\r\t\v\\\'\"']`)).toEqual(['\x07\b\f\n\r\t\v\\\'"']);
    expect(read(String.raw`['\d\[\ud83d\ude00']`)).toEqual(['\\d\\[😀']);
    expect(read(`['one \\\nline']`)).toEqual(['one line']);
    expect(read(String.raw`['\1234', '\08']`)).toEqual(['S4', '\x008']);
  });

  it('know prefixes, triple quotes and strings side by side', () => {
    expect(read(String.raw`[r'\d+', R"\'", u'x', U'y']`)).toEqual([
      String.raw`\d+`,
      String.raw`\'`,
      'x',
      'y',
    ]);
    expect(read(`['''it's\nlong''', """a "q" b"""]`)).toEqual([`it's\nlong`, 'a "q" b']);
    expect(read(`['very '\n 'long', 'b']`)).toEqual(['very long', 'b']);
  });

  it('are refused with the reason where a name would be a guess, or something would have to run', () => {
    expect(refusal(`['a' 'b'\n 'c']`)).toContain('as numpy prints them');
    expect(refusal(`array(['a', 'b'], dtype=object)`)).toContain('array, which is no text');
    expect(refusal(`['a', ..., 'b']`)).toContain('an ellipsis');
    expect(refusal(`['a', nan]`)).toContain('nan, which is no text');
    expect(refusal(`['a', __import__('os')]`)).toContain('__import__, which is no text');
    expect(refusal(`[f'{x}']`)).toContain('formatted string');
    expect(refusal(`[b'x']`)).toContain('bytes');
    expect(refusal(`[xy'a']`)).toContain('unknown prefix xy');
    expect(refusal(`['a', ['b']]`)).toContain('a list inside the list');
    expect(refusal(`['a', 'b`)).toContain('cut off');
    expect(refusal(`['a', 'b'`)).toContain('cut off');
    expect(refusal(`['a',, 'b']`)).toContain('comma without a name');
    expect(refusal(`('a')`)).toContain('text in parentheses');
    expect(refusal(`['a'] + ['b']`)).toContain('no text');
    expect(refusal(String.raw`['\N{DASH}']`)).toContain('Unicode name');
    expect(refusal(String.raw`['\xg1']`)).toContain('broken escape');
    expect(refusal(String.raw`['\ud83d']`)).toContain('not valid Unicode');
    expect(refusal('a::b')).toContain('a, which is no text');
    expect(refusal([1])).toContain('a number instead of a name');
    expect(refusal('{"a": 1}')).toContain('a object');
    expect(refusal(null)).toContain('nothing');
    expect(refusal('')).toContain('empty');
    expect(refusal([''])).toContain('an empty name');
  });

  it('of 20,000 names are read at once', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `tests/test_${at}.py::test[a, 'b']`);
    const text = `[${names.map((name) => `"${name}"`).join(', ')}]`;
    const started = performance.now();
    expect(read(text.replaceAll('"', "'''"))).toEqual(names);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
