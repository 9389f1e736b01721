import { describe, expect, it } from 'vitest';
import { readText } from '../text/detect.ts';
import { editText } from './edit-text.ts';

interface Options {
  replaceAll?: boolean;
  help?: boolean;
}

/** What an edit of these bytes gives; text in, text out in Latin-1 so that every byte shows. */
function edit(file: string, old: string, wanted: string, options: Options = {}) {
  return editBytes(Buffer.from(file, 'utf8'), old, wanted, options);
}

function editBytes(bytes: Buffer, old: string, wanted: string, options: Options = {}) {
  const text = readText(bytes);
  if (!text) throw new Error('not text');
  const { replaceAll = false, help = true } = options;
  const outcome = editText(bytes, text, { old, new: wanted, replaceAll, help });
  return outcome.kind === 'edited'
    ? { ...outcome, bytes: Buffer.from(outcome.bytes), text: Buffer.from(outcome.bytes).toString() }
    : outcome;
}

const after = (file: string, old: string, wanted: string, options?: Options): string => {
  const outcome = edit(file, old, wanted, options);
  if (outcome.kind !== 'edited') throw new Error(JSON.stringify(outcome));
  return outcome.text;
};

describe('exact edits', () => {
  it('T01 dollar patterns stay literal', () => {
    expect(after('log("done");\n', '"done"', '"$& ok $$ $1 $` $\'"')).toBe(
      'log("$& ok $$ $1 $` $\'");\n',
    );
  });

  it('says nothing beyond the count', () => {
    expect(edit('a\nb\n', 'a', 'c')).toMatchObject({ kind: 'edited', count: 1, help: [] });
  });

  it('T10 trailing blanks of the new text are kept', () => {
    expect(after('one\ntwo\n', 'one', 'one  \nmore  ')).toBe('one  \nmore  \ntwo\n');
  });

  it('T07 tabs of a Makefile stay tabs', () => {
    expect(after('all:\n\tcc a.c\n\tcc b.c\n', '\tcc a.c', '\tcc -O2 a.c')).toBe(
      'all:\n\tcc -O2 a.c\n\tcc b.c\n',
    );
  });

  it('keeps a missing final newline missing, and deletes to the very byte', () => {
    expect(after('a\nb', 'b', 'c')).toBe('a\nc');
    expect(after('a\nb\nc\n', 'b\n', '')).toBe('a\nc\n');
    expect(after('ab', 'ab', '')).toBe('');
  });

  it('counts occurrences as Python does: left to right, not overlapping', () => {
    expect(edit('aaaa\n', 'aa', 'b', { replaceAll: true })).toMatchObject({
      count: 2,
      text: 'bb\n',
    });
  });

  it('T13 several matches are refused with their lines, and replaced on request', () => {
    const file = 'x\nfoo()\ny\nfoo()\nz\nfoo()\n';
    expect(edit(file, 'foo()', 'bar()')).toEqual({
      kind: 'refused',
      reason: 'ambiguous',
      message: 'old_string matched 3 times; set replace_all=true or use a more specific old_string',
      help: ['The matches start in lines 2, 4, 6.'],
    });
    expect(edit(file, 'foo()', 'bar()', { replaceAll: true })).toMatchObject({
      count: 3,
      text: 'x\nbar()\ny\nbar()\nz\nbar()\n',
    });
  });

  it('an edit that would blow the file up is refused', () => {
    const started = performance.now();
    expect(edit('a'.repeat(1_000_000), 'a', 'b', { replaceAll: true })).toMatchObject({
      message: 'replacing 1000000 matches would change too much at once',
    });
    expect(edit('a'.repeat(50_000), 'a', 'b'.repeat(1_000), { replaceAll: true })).toMatchObject({
      kind: 'refused',
    });
    expect(edit('a'.repeat(100_000), 'a', 'b\n', { replaceAll: true })).toMatchObject({
      count: 100_000,
      text: 'b\n'.repeat(100_000),
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    ['a\nb\n', 'a', 'a'],
    ['a\r\nb\r\n', 'a\nb', 'a\r\nb'],
    ['a\nb\n', 'a\nb', 'a\r\nb'],
  ])('T05 nothing or only line ends would change: %j', (file, old, wanted) => {
    expect(edit(file, old, wanted)).toEqual({ kind: 'unchanged', count: 1 });
  });
});

describe('T06 line ends', () => {
  it('T06 a CRLF file keeps CRLF, also in the lines that are added', () => {
    const outcome = edit('a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nnew\nb2\n');
    expect(outcome).toMatchObject({ text: 'a\r\nnew\r\nb2\r\nc\r\n', help: [] });
  });

  it('T06 lines added inside one line of a CRLF file', () => {
    expect(after('a\r\nb\r\n', 'b', 'b1\nb2')).toBe('a\r\nb1\r\nb2\r\n');
    expect(after('a\r\nb', 'b', 'b1\nb2')).toBe('a\r\nb1\r\nb2');
  });

  it('T06 mixed line ends: each line keeps its own', () => {
    expect(after('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd\n', 'a\nb\nX\nc\nd2\n')).toBe(
      'a\r\nb\nX\nc\r\nd2\n',
    );
    expect(after('a\r\nb\nc\r\n', 'b\nc\n', 'B\nC\n')).toBe('a\r\nB\nC\r\n');
  });

  it('T06 an edit far away leaves every other line end alone', () => {
    expect(after('a\r\nb\nc\rd\r\n', 'a', 'A')).toBe('A\r\nb\nc\rd\r\n');
  });

  it('T06 old text with CRLF matches an LF file, disclosed', () => {
    const outcome = edit('a\nb\n', 'a\r\nb', 'a\r\nc');
    expect(outcome).toMatchObject({
      text: 'a\nc\n',
      help: ['Matched with help: the file has LF line ends, so CRLF was read as LF.'],
    });
  });

  it('T17 a lone CR is a character like any other', () => {
    expect(after('a\rb\nc\n', 'a\rb', 'a\rB')).toBe('a\rB\nc\n');
  });
});

describe('T04 encodings: bytes outside the change are the same', () => {
  const latin1 = Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1');

  it('T04 Latin-1', () => {
    expect(editBytes(latin1, 'x = 1', 'x = 2')).toMatchObject({
      bytes: Buffer.from('const x = 2;\n// caf\xe9\n', 'latin1'),
      help: [],
    });
    expect(editBytes(latin1, 'café', 'cafés crème')).toMatchObject({
      bytes: Buffer.from('const x = 1;\n// caf\xe9s cr\xe8me\n', 'latin1'),
      help: ["The new text was written as Latin-1, which is a guess from the file's bytes."],
    });
  });

  it('T04 Latin-1 refuses what it can not hold, with advice', () => {
    expect(editBytes(latin1, 'x = 1', 'x = "日本"')).toEqual({
      kind: 'refused',
      reason: 'not_writable',
      message:
        'new_string has characters that the file\'s encoding, Latin-1, cannot hold: "日", "本"',
      help: [
        'Nothing was changed. Use other characters or escapes, or convert the file first (iconv).',
      ],
    });
  });

  // 编码测试 中文注释 in GBK; 日本語の文字 in Shift-JIS, whose second bytes can be ASCII (0x5c).
  const gbk = Buffer.from('x = 1  # \xb1\xe0\xc2\xeb\xb2\xe2\xca\xd4 \xd6\xd0\xce\xc4\n', 'latin1');
  const shiftJis = Buffer.from('x = "\x93\xfa\x96{\x8c\xea\x82\xcc\x95\x5c"  # 1\n', 'latin1');
  const utf16 = Buffer.concat([
    Buffer.of(0xff, 0xfe),
    Buffer.from('x = 1\r\ny = "é"\r\n', 'utf16le'),
  ]);
  const utf8Bom = Buffer.from('\ufeffx = 1\ny = "é"\n', 'utf8');

  it('T04 GBK', () => {
    expect(editBytes(gbk, 'x = 1', 'x = 2')).toMatchObject({
      bytes: Buffer.from(gbk.toString('latin1').replace('1', '2'), 'latin1'),
      help: [],
    });
    expect(editBytes(gbk, '测试', '中文')).toMatchObject({
      bytes: Buffer.from(
        gbk.toString('latin1').replace('\xb2\xe2\xca\xd4', '\xd6\xd0\xce\xc4'),
        'latin1',
      ),
      help: ["The new text was written as GBK, which is a guess from the file's bytes."],
    });
  });

  it('T04 Shift-JIS, and no match inside a double byte', () => {
    expect(editBytes(shiftJis, '# 1', '# 2')).toMatchObject({
      bytes: Buffer.from(shiftJis.toString('latin1').replace('# 1', '# 2'), 'latin1'),
    });
    expect(editBytes(shiftJis, '\\', '/')).toMatchObject({ message: 'old_string was not found' });
  });

  it('T04 UTF-16 with its mark', () => {
    expect(editBytes(utf16, 'x = 1\ny', 'x = 2\nz = 3\ny')).toMatchObject({
      bytes: Buffer.concat([
        Buffer.of(0xff, 0xfe),
        Buffer.from('x = 2\r\nz = 3\r\ny = "é"\r\n', 'utf16le'),
      ]),
      help: [],
    });
  });

  it('T04 UTF-8 with its mark', () => {
    expect(editBytes(utf8Bom, 'x = 1', 'x = 2')).toMatchObject({
      text: '\ufeffx = 2\ny = "é"\n',
      help: [],
    });
    expect(editBytes(utf8Bom, '\ufeffx = 1', '\ufeffx = 2')).toMatchObject({
      text: '\ufeffx = 2\ny = "é"\n',
    });
  });

  it('T04 UTF-8 with a few invalid bytes', () => {
    const bytes = Buffer.concat([
      Buffer.from('a = "é"\nb = "'),
      Buffer.of(0xff, 0xc3),
      Buffer.from('"\n'),
    ]);
    expect(editBytes(bytes, '"é"', '"è"')).toMatchObject({
      bytes: Buffer.concat([
        Buffer.from('a = "è"\nb = "'),
        Buffer.of(0xff, 0xc3),
        Buffer.from('"\n'),
      ]),
    });
  });

  it('T04 the encoding a file declares goes before any guess', () => {
    const declared = Buffer.from('# -*- coding: euc-kr -*-\nx = "\xc7\xd1\xb1\xdb"\n', 'latin1');
    expect(editBytes(declared, '한글', '글')).toMatchObject({
      bytes: Buffer.from('# -*- coding: euc-kr -*-\nx = "\xb1\xdb"\n', 'latin1'),
      help: [],
    });
  });

  it('refuses half a character', () => {
    expect(edit('a\n', 'a', '\ud83d')).toMatchObject({ kind: 'refused' });
    expect(edit('a 😀\n', '\ud83d', 'b')).toMatchObject({ kind: 'refused' });
  });
});
