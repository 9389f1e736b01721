import type { Change } from 'gitdiff-parser';
import { describe, expect, it } from 'vitest';
import type { ReviewFile } from '../../../../src-main/contract/index.ts';
import { inPairs } from './blocks.ts';
import { CHUNK_LINES, chunksOf } from './chunks.ts';
import { editOf, editsOf } from './edits.ts';
import { formsOf } from './forms.ts';
import { keyOf, newLineOf, readFile } from './read-file.ts';
import { lineTokens, tokensOf } from './tokens.ts';
import { isWhiteSpaceOnly, withoutWhiteSpace } from './white-space.ts';

function file(text: string, more: Partial<ReviewFile> = {}): ReviewFile {
  return {
    ...{ path: 'a', oldPath: null, status: 'modified', kind: 'text' },
    ...{ insertions: 1, deletions: 1, hunks: [], text, cut: false },
    ...more,
  };
}

const units = (...ids: string[]) =>
  ids.map((id) => ({ id, header: '@@', decision: 'open' as const }));

function changes(lines: string[]): Change[] {
  const text = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n${lines.join('\n')}\n`;
  return readFile(file(text), 0).hunks[0]?.changes ?? [];
}

const shown = (list: readonly Change[]) =>
  list.map(({ type, content }) => `${{ insert: '+', delete: '-', normal: ' ' }[type]}${content}`);

describe('a file of the patch', () => {
  it('has its hunks by the ids of the core, with line numbers', () => {
    const text =
      'diff --git a/a b/a\nindex 1111111..2222222 100644\n--- a/a\n+++ b/a\n' +
      '@@ -1,2 +1,2 @@\n-x\n+y\n z\n@@ -9 +9,2 @@ def f():\n q\n+r\n';
    const read = readFile(file(text, { hunks: units('3.0', '3.1') }), 3);
    expect(read.hunks.map(({ unit, header }) => [unit, header])).toEqual([
      ['3.0', '@@ -1,2 +1,2 @@'],
      ['3.1', '@@ -9 +9,2 @@ def f():'],
    ]);
    expect(read.hunks[1]?.changes.map(keyOf)).toEqual(['N9', 'I10']);
    expect(read.hunks[0]?.changes.map(newLineOf)).toEqual([null, 1, 2]);
    expect(read.modes).toEqual({ before: '100644', after: '100644' });
  });

  it('that goes as a whole has one id for all its hunks', () => {
    const text =
      'diff --git a/l b/l\ndeleted file mode 100644\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' +
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+t\n' +
      '\\ No newline at end of file\n';
    const link = file(text, { kind: 'symlink', hunks: units('2') });
    const read = readFile(link, 2);
    expect(read.hunks.map(({ unit }) => unit)).toEqual(['2', '2']);
    expect(formsOf(link, read)).toEqual(['A file becomes a symbolic link.']);
  });

  it.each(['', 'no patch', 'diff --git a/x b/x\n@@ broken', 'diff --git \u0000\n'])(
    'that is %j has no lines and breaks nothing',
    (text) => {
      expect(readFile(file(text), 0).hunks.flatMap((hunk) => hunk.changes)).toEqual([]);
    },
  );

  it('says CR LF once when every line has it, and shows it where only some have', () => {
    const all = changes([' a\r', '-b\r', '+c\r']);
    expect(shown(all)).toEqual([' a', '-b', '+c']);
    expect(shown(changes([' a\r', '-b\r', '+c']))).toEqual([' a\r', '-b\r', '+c']);
    expect(shown(changes([' a\r', '-b', '+c\r', ' d\r']))).toEqual([' a\r', '-b', '+c\r', ' d\r']);
  });

  it.each([
    [
      { kind: 'binary' },
      'GIT binary patch\n',
      ['A binary file that changes. Its content is not shown.'],
    ],
    [{ kind: 'mode' }, 'old mode 100644\nnew mode 100755\n', ['The file becomes executable.']],
    [
      { kind: 'mode' },
      'old mode 100755\nnew mode 100644\n',
      ['The file is not executable any more.'],
    ],
    [{ status: 'added' }, 'new file mode 100644\nindex 0000000..e69de29\n', ['An empty file.']],
    [
      { status: 'renamed' },
      'similarity index 100%\nrename from b\nrename to a\n',
      ['The content stays the same.'],
    ],
    [
      { cut: true },
      '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n',
      [
        'A line feed is added at its end.',
        'Too large to be shown to its end. It is exported whole.',
      ],
    ],
    [
      {},
      '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n',
      ['The line feed at its end is removed.'],
    ],
  ] as Array<[Partial<ReviewFile>, string, string[]]>)(
    '%j is told in words',
    (more, body, words) => {
      const given = file(`diff --git a/a b/a\n${body}`, more);
      expect(formsOf(given, readFile(given, 0))).toEqual(words);
    },
  );
});

describe('lines of a hunk', () => {
  it('stand in pairs side by side', () => {
    const list = changes([' a', '-b', '-c', '+d', ' e', '+f']);
    expect(shown(inPairs(list))).toEqual([' a', '-b', '+d', '-c', ' e', '+f']);
  });

  it('are cut into pieces that lose none of them', () => {
    const list = changes(Array.from({ length: 1_000 }, (_, at) => `+line ${at}`));
    const chunks = chunksOf(list);
    expect(chunks.flat()).toEqual(list);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(CHUNK_LINES * 1.5);
    expect(chunksOf([])).toEqual([]);
  });

  it('stay as they are without white space', () => {
    const list = changes(['-  return x', '-old', '+    return  x', '+new', ' z']);
    expect(shown(withoutWhiteSpace(list))).toEqual(['     return  x', '-old', '+new', ' z']);
    expect(isWhiteSpaceOnly(list)).toBe(false);
    expect(isWhiteSpaceOnly(changes(['-\tx', '+  x', ' y']))).toBe(true);
    expect(isWhiteSpaceOnly(changes([' y']))).toBe(false);
    // A space that does not break, and one of no width, are no white space but a reason to look.
    expect(isWhiteSpaceOnly(changes(['-a b', '+a\u{a0}b']))).toBe(false);
    expect(isWhiteSpaceOnly(changes(['-x', '+\u{feff}x']))).toBe(false);
  });

  it('show what changed within them', () => {
    expect(editOf('    return 365', '    return 366 if leap else 365')).toEqual([
      [11, 14],
      [11, 31],
    ]);
    expect(editOf('a', 'zzzzz')).toBeNull();
    expect(editOf('x'.repeat(5_000), 'y')).toBeNull();
    expect([...editsOf(changes(['-abcdef', '+abXdef', '+q'])).keys()]).toEqual([]);
    expect(editsOf(changes(['-let abcdef;', '+let abXdef;'])).get('I1')).toEqual([4, 10]);
  });

  it('keep their colours around an edit', () => {
    const pieces = [
      { text: 'return ', className: 'hljs-keyword' },
      { text: '365', className: 'hljs-number' },
    ];
    expect(lineTokens('return 365', pieces, [5, 8])).toEqual([
      { type: 'text', value: 'retur', className: 'hljs-keyword', edited: false },
      { type: 'text', value: 'n ', className: 'hljs-keyword', edited: true },
      { type: 'text', value: '3', className: 'hljs-number', edited: true },
      { type: 'text', value: '65', className: 'hljs-number', edited: false },
    ]);
  });

  it('of megabytes are cut, with the rest a press away', () => {
    const line = 'x'.repeat(5_000_000);
    expect(lineTokens(line, null).map((token) => token.type)).toEqual(['text', 'cut']);
    expect(lineTokens(line, null)[1]).toEqual({ type: 'cut', line, rest: 4_998_000 });
  });

  it('are found by their numbers, on both sides', () => {
    const list = changes([' a', '-b', '+c']);
    const tokens = tokensOf(list, { old: null, new: null }, new Map(), keyOf);
    const words = (side: 'old' | 'new') =>
      tokens[side].map(([token]) => (token?.type === 'text' ? token.value : null));
    expect([words('old'), words('new')]).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });
});
