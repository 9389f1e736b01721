import { describe, expect, test } from 'vitest';
import { makePatch, splitPatch } from './index.ts';
import type { Change } from './index.ts';
import { commitAll, git, repositoryWith, write } from './testing/repositories.ts';
import { snapshotWith } from './testing/patches.ts';

function file(path: string, content: string | Uint8Array, executable = false): Change {
  return { path, kind: 'file', executable, content: Buffer.from(content) };
}

async function partsOf(base: Record<string, string | Uint8Array>, changes: Change[]) {
  const { bytes } = await makePatch(await snapshotWith(base), changes);
  const parts = splitPatch(bytes);
  expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true);
  return parts;
}

describe('parts', () => {
  test('each kind of change, and what can only be taken as a whole', async () => {
    const parts = await partsOf(
      { 'a.txt': '1\n', 'b.txt': '1\n', 'c.bin': Buffer.from([0]), d: 'x\n', e: 'x\n', f: 'x\n' },
      [
        file('a.txt', '2\n3\n'),
        { path: 'b.txt', kind: 'deleted' },
        file('c.bin', Buffer.from([0, 1])),
        { path: 'd', kind: 'symlink', content: Buffer.from('a.txt') },
        file('e', 'x\n', true),
        file('f', 'y\n', true),
        file('g', 'new\n'),
        file('h', ''),
      ],
    );
    expect(
      parts.map(({ path, status, kind, whole, about, insertions, deletions }) =>
        [path, status, kind, whole, about, insertions, deletions].join('|'),
      ),
    ).toEqual([
      'a.txt|modified|text|false||2|1',
      'b.txt|deleted|text|true|deleted file mode 100644|0|1',
      'c.bin|modified|binary|true|GIT binary patch||',
      'd|modified|symlink|true|deleted file mode 100644, new file mode 120000|1|1',
      'e|modified|mode|true|old mode 100644, new mode 100755|0|0',
      'f|modified|text|true|old mode 100644, new mode 100755|1|1',
      'g|added|text|true|new file mode 100644|1|0',
      'h|added|text|true|new file mode 100644|0|0',
    ]);
  });

  test('names with quotes, escapes and other bytes', async () => {
    const names = ['q"uote', 'back\\slash', 'tab\there', 'ü', 'new\nline', ' a /b', 'x b/x'];
    const parts = await partsOf(
      { z: '' },
      names.map((name) => file(name, 'x\n')),
    );
    expect(parts.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  });

  test('renames and copies of a git that finds them', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const folder = repositoryWith({ 'old name': text, keep: text.replaceAll('l', 'k') });
    write(folder, { 'new "name"': `${text}more\n`, copy: `${text.replaceAll('l', 'k')}l\n` });
    git(folder, ['rm', '-q', 'old name']);
    commitAll(folder, 'second');
    const args = [
      'diff',
      '-M',
      '-C',
      '--find-copies-harder',
      '--full-index',
      '--binary',
      'HEAD~1',
      'HEAD',
    ];
    const patch = git(folder, args);
    const parts = splitPatch(patch);
    expect(parts.map(({ path, oldPath, status, whole }) => [path, oldPath, status, whole])).toEqual(
      [
        ['copy', 'keep', 'added', true],
        ['new "name"', 'old name', 'renamed', true],
      ],
    );
    expect(Buffer.concat(parts.map((part) => part.bytes)).equals(patch)).toBe(true);
  });

  test('a line of 5 MB, CRLF, no final line end, and bytes that are no UTF-8', async () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 'x');
    const content = Buffer.concat([Buffer.from('a\r\n\xff\xfe\r\n', 'latin1'), long]);
    const [part] = await partsOf({ f: 'a\r\nb\r\nc' }, [file('f', content)]);
    expect([part?.insertions, part?.deletions, part?.hunks.length]).toEqual([2, 2, 1]);
  });

  test('an empty patch has no parts', () => {
    expect(splitPatch(new Uint8Array())).toEqual([]);
  });

  test.each([
    'hello\n',
    'diff --git a/x b/y\n',
    'diff --git a/x b/x\n@@ -1,2 +1 @@\n-a\n',
    'diff --git a/x b/x\n@@ -1 +1 @@\n-a\n-b\n',
    'diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\ntrailing\n',
    'diff --git a/x b/x\n@@ nonsense\n',
    'diff --git "a/x\n',
  ])('what is no patch of ours is refused: %j', (text) => {
    expect(() => splitPatch(Buffer.from(text))).toThrow(
      'the patch is not in the form Vivarium writes',
    );
  });
});
