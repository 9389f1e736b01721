import { expect, test } from 'vitest';
import { runPython } from './scripts.ts';

/** What `expression` of `labels.py` gives, as JSON. */
function labels(expression: string): unknown {
  return JSON.parse(
    runPython(`import json\nfrom labels import *\nprint(json.dumps(${expression}))`),
  );
}

const edit = (said: string, old: string, changed: string) =>
  `${said}\n<tool_call>\n{"name": "Edit", "arguments": {"file_path": "a.py", "old_string": ${JSON.stringify(old)}, "new_string": ${JSON.stringify(changed)}}}\n</tool_call>`;

test.each([
  ['Line 12 is wrong.', 'a % 11 == "x"', 'a % 10 == "x"', '12', '0'],
  ['The bug is on line 7.', 'a > b', 'a >= b', '7', '='],
  ['That edit was not right. Line 3 has the bug.', '"a\\n"', '"a\\t"', '3', 't'],
  ['Line 4 is wrong.', 'x + 1', 'x', '4', '"'],
  ['Line 4 is wrong.', 'aa', 'aaa', '4', 'a'],
  ['Line 5 is wrong.', 'for x in a:', 'for y in b:', '5', 'y in b'],
])('%s: the number and what the edit changes count more: %s -> %s', (...row) => {
  const [said, old, changed, number, change] = row;
  const text = edit(said, old, changed);
  const spans = labels(`spans_of(${JSON.stringify(text)})`) as [number, number, number][];
  expect(spans.map(([weight, start, end]) => [weight, text.slice(start, end)])).toEqual([
    [8, number],
    [4, change],
  ]);
  expect(spans[1]?.[1]).toBeGreaterThan(text.indexOf('"new_string": "'));
});

test('other turns have nothing that counts more', () => {
  const read = '<tool_call>\n{"name": "Read", "arguments": {"file_path": "a.py"}}\n</tool_call>';
  for (const text of [read, 'Fixed: line 3 of a.py was wrong.', `Line 3 is wrong.\n${read}`])
    expect(labels(`spans_of(${JSON.stringify(text)})`)).toEqual([]);
});

test('the last token of each shown line is marked, with 1 at the wrong one', () => {
  const lines = ['a.py', '1. def f(a):', '2.     b = 1', '', '11. x', '12. y'];
  const text = lines.join('\n');
  // Tokens of three characters each: the one that holds a line's last character is its end.
  const offsets = Array.from({ length: Math.ceil(text.length / 3) }, (_, at) => [
    at * 3,
    Math.min(at * 3 + 3, text.length),
  ]);
  const marks = labels(
    `marks_of(${JSON.stringify(text)}, ${JSON.stringify(offsets)}, 1)`,
  ) as number[];
  const marked = marks.flatMap((mark, at) => (mark < 0 ? [] : [[offsets[at]?.[1], mark]]));
  const endOf = (line: string) =>
    Math.min(Math.ceil((text.indexOf(line) + line.length) / 3) * 3, text.length);
  expect(marked).toEqual([
    [endOf('1. def f(a):'), 1],
    [endOf('2.     b = 1'), 0],
    [endOf('11. x'), 0],
    [endOf('12. y'), 0],
  ]);
  const said = 'Exit code: 0\nSTDOUT:\n1. x';
  expect(labels(`marks_of(${JSON.stringify(said)}, [[0, 26]], 1)`)).toEqual([-1]);
});
