import { describe, expect, it } from 'vitest';
import { readText } from '../text/detect.ts';
import { editText } from './edit-text.ts';

function edit(file: string, old: string, wanted: string, help = true) {
  const bytes = Buffer.from(file, 'utf8');
  const text = readText(bytes);
  if (!text) throw new Error('not text');
  const outcome = editText(bytes, text, { old, new: wanted, replaceAll: false, help });
  return outcome.kind === 'edited'
    ? { text: Buffer.from(outcome.bytes).toString(), help: outcome.help }
    : outcome;
}

const NOT_FOUND = 'old_string was not found';

describe('help when the exact text is not there', () => {
  it('blanks at line ends; lines that do not change keep theirs', () => {
    expect(edit('if a:  \n    b()\t\n    c()\n', 'if a:\n    b()\n', 'if a:\n    B()\n')).toEqual({
      text: 'if a:  \n    B()\n    c()\n',
      help: ['Matched with help: old_string differed from the file in blanks at line ends.'],
    });
    expect(edit('a\nb\n', 'a  \nb', 'a  \nc')).toMatchObject({ text: 'a\nc\n' });
  });

  it('quotes, dashes and no-break spaces, in either direction', () => {
    const help = [
      'Matched with help: old_string differed from the file in quotes, dashes or no-break spaces.',
    ];
    expect(edit('say(“hi”)\n', 'say("hi")', 'say("ho")')).toEqual({ text: 'say("ho")\n', help });
    expect(edit("it's a-b\n", 'it’s\u00a0a–b', 'gone')).toEqual({ text: 'gone\n', help });
  });

  it('T12 numbers copied from Read come off, in both strings', () => {
    const file = 'def f():\n    return 1\n\nx = 2\n';
    expect(
      edit(file, '1. def f():\n2.     return 1\n3. \n', '1. def f():\n2.     return 3\n3. \n'),
    ).toEqual({
      text: 'def f():\n    return 3\n\nx = 2\n',
      help: ['Matched with help: the line numbers in front of the lines were taken off.'],
    });
    expect(edit(file, '2.     return 1', '    return 4')).toMatchObject({
      text: 'def f():\n    return 4\n\nx = 2\n',
    });
  });

  it('T12 a numbered list is not taken for line numbers when it does not count up', () => {
    expect(edit('a\nb\n', '1. a\n1. b', 'x')).toMatchObject({ message: NOT_FOUND });
  });

  it('another indent, the same on all lines; the new text moves along', () => {
    const file = 'class A:\n    def f(self):\n        if x:\n            y()\n';
    const help = [
      'Matched with help: old_string was indented differently; new_string was moved by the same amount.',
    ];
    expect(edit(file, '  if x:\n      y()', '  if x:\n      z()\n\n  else:\n      w()')).toEqual({
      text: 'class A:\n    def f(self):\n        if x:\n            z()\n\n        else:\n            w()\n',
      help,
    });
    expect(edit('a:\n  b\n', '      b', '      c')).toEqual({ text: 'a:\n  c\n', help });
    expect(edit('if a:\r\n\tb\r\n\tc\r\n', '\t\tb\n\t\tc\n', '\t\tb\n\t\td\n')).toEqual({
      text: 'if a:\r\n\tb\r\n\td\r\n',
      help,
    });
  });

  it('an indent that is not the same on all lines is refused', () => {
    expect(edit('a:\n    b\n    c\n', '  b\n      c', 'x')).toMatchObject({ message: NOT_FOUND });
  });

  it('two places are as good as none', () => {
    expect(edit('a  \nb\na  \nb\n', 'a\nb', 'c')).toMatchObject({ message: NOT_FOUND });
  });

  it('T03 backslash-n for a line break: one match, and the new text treated alike', () => {
    expect(edit('a\nb\n', 'a\\nb', 'a\\nc')).toEqual({
      text: 'a\nc\n',
      help: [
        'Matched with help: the backslash-n in old_string and new_string was read as a line break.',
      ],
    });
  });

  it('T03 a literal backslash-n in the file stays literal', () => {
    expect(edit('printf("a\\n");\n', '"a\\n"', '"b\\n"')).toEqual({
      text: 'printf("b\\n");\n',
      help: [],
    });
  });

  it('T03 not when the other form is there twice, or the raw form once', () => {
    expect(edit('a\nb\na\nb\n', 'a\\nb', 'a\\nc')).toMatchObject({ message: NOT_FOUND });
    expect(edit('a\nb\n"a\\nb"\n', 'a\\nb', 'a\\nc')).toEqual({
      text: 'a\nb\n"a\\nc"\n',
      help: [],
    });
  });

  it('T03 not when one of the two strings has real line breaks', () => {
    expect(edit('a\nb\n', 'a\\nb', 'a\nprint("\\n")')).toMatchObject({ message: NOT_FOUND });
  });

  it('none of it without help', () => {
    expect(edit('a  \nb\n', 'a\nb', 'c', false)).toEqual({
      kind: 'refused',
      reason: 'not_found',
      message: NOT_FOUND,
      help: [],
    });
  });
});

describe('what the model is told when nothing matches', () => {
  it('T02 first and last line alone are no match; the nearest lines are shown', () => {
    const file = 'function a() {\n  one();\n  two();\n}\nfunction b() {\n  three();\n}\n';
    expect(edit(file, 'function a() {\n  one();\n  other();\n}\n', 'x')).toEqual({
      kind: 'refused',
      reason: 'not_found',
      message: NOT_FOUND,
      help: [
        'The nearest lines are (the first difference is in line 3):\n1. function a() {\n2.   one();\n3.   two();\n4. }',
      ],
    });
    expect(edit('{\n  a\n}\n', '{\n  invented\n}\n', 'x')).toMatchObject({ message: NOT_FOUND });
  });

  it('finds the nearest line by likeness', () => {
    expect(edit('x = 1\nreturn total / count\n', 'return totals / counter', 'y')).toMatchObject({
      help: ['The nearest lines are:\n2. return total / count'],
    });
  });

  it('says so when nothing is like it', () => {
    expect(edit('x = 1\n', 'quite different words', 'y')).toMatchObject({
      help: ['No line of the file is like it. Read the file again.'],
    });
  });

  it('notices that the edit was made before', () => {
    expect(edit('a\nreturn a + b\n', 'return a - b', 'return a + b')).toMatchObject({
      help: [
        'new_string is already in the file, at line 2: the edit may have been made before.',
        'The nearest lines are:\n2. return a + b',
      ],
    });
  });

  it('stays fast on a long line of blanks', () => {
    const started = performance.now();
    edit(`${' '.repeat(300_000)}x\n`, 'not there\nat all', 'y');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
