import { describe, expect, test } from 'vitest';
import {
  composePatch,
  coupledParts,
  makePatch,
  patchUnits,
  seedEntries,
  splitPatch,
} from './index.ts';
import type { Change, PatchPart, Snapshot } from './index.ts';
import { snapshotWith } from './testing/patches.ts';
import { randomOf, type Random } from './testing/random.ts';
import { filesOf, git, testFolder, unpack, type Content } from './testing/repositories.ts';

/** Lines with their ends; ambiguous on purpose, so that a wrong place would often match, too. */
const WORDS = [
  '',
  'a',
  'b',
  '}',
  '  return x',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '--- a',
  '\\ x',
];

function randomLines(random: Random, count: number): string[] {
  const end = random.chance(0.3) ? '\r\n' : '\n';
  return Array.from({ length: count }, () => `${random.pick(WORDS)}${end}`);
}

/** Some edits at random places; sometimes the final line end goes or comes. */
function edited(random: Random, lines: readonly string[]): string[] {
  const now = [...lines];
  for (let edits = 1 + random.below(6); edits > 0; edits -= 1) {
    const at = random.below(now.length + 1);
    const fresh = Array.from({ length: random.below(4) }, () => `${random.pick(WORDS)} new\n`);
    now.splice(at, random.below(4), ...fresh);
  }
  if (now.length > 0 && random.chance(0.3)) now.push(`${(now.pop() ?? '').trimEnd()}!`);
  return now;
}

function bytesOf(lines: readonly string[]): Buffer {
  // Latin-1 makes bytes of some lines that are no UTF-8.
  return Buffer.from(lines.join('').replaceAll('}', '\u00e9}'), 'latin1');
}

interface Case {
  base: Record<string, Content>;
  changes: Change[];
}

/** Thirty files with random edits, and one of every kind of change there is. */
function randomCase(random: Random): Case {
  const base: Record<string, Content> = {};
  const changes: Change[] = [];
  for (let file = 0; file < 30; file += 1) {
    const path = `src/${random.pick(['f', 'ü', 'q"t', 'sp ace', 'b\\s', 'tab\t'])}${file}`;
    const lines = randomLines(random, random.below(80));
    base[path] = bytesOf(lines);
    const content = bytesOf(edited(random, lines));
    changes.push({ path, kind: 'file', executable: false, content });
  }
  const put = (path: string, content: string, executable = false): void =>
    void changes.push({ path, kind: 'file', executable, content: Buffer.from(content) });
  Object.assign(base, {
    'blob.bin': Buffer.from([0, 1, 2, 255]),
    'run.sh': 'echo\n',
    'both.sh': 'a\nb\n',
    'gone.txt': 'x\n',
    'gone-empty.txt': '',
    link: { link: 'run.sh' },
    'becomes-link': 'text\n',
    'becomes-folder': 'text\n',
    'was-folder/a': 'a\n',
    'was-folder/b': 'b\n',
  });
  changes.push({
    path: 'blob.bin',
    kind: 'file',
    executable: false,
    content: Buffer.from([0, 9, 10, 13, 64, 64, 32]),
  });
  put('run.sh', 'echo\n', true);
  put('both.sh', 'a\nB\n', true);
  for (const path of [
    'gone.txt',
    'gone-empty.txt',
    'becomes-folder',
    'was-folder/a',
    'was-folder/b',
  ])
    changes.push({ path, kind: 'deleted' });
  changes.push({ path: 'link', kind: 'symlink', content: Buffer.from('both.sh') });
  changes.push({ path: 'becomes-link', kind: 'symlink', content: Buffer.from('link') });
  put('becomes-folder/deep/file', 'deep\n');
  put('was-folder', 'now a file\n');
  put('new empty', '');
  put('new\nline \u202e.txt', 'no end');
  put('trailing /x', 'x\n');
  return { base, changes };
}

/** Splices the ranges that git names out of the new file into the old one. */
function expectedText(
  part: PatchPart,
  index: number,
  before: string,
  after: string,
  out: Set<string>,
) {
  const now = lineEnds(before);
  const then = lineEnds(after);
  const ranges = part.hunks.map(({ header }) => {
    const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(header) ?? [];
    return [1, 2, 3, 4].map((at) => Number(found[at] ?? 1));
  });
  for (const [at, [oldStart = 0, oldCount = 0, newStart = 0, newCount = 0]] of [
    ...ranges.entries(),
  ].toReversed()) {
    if (out.has(`${index}.${at}`)) continue;
    const from = newCount === 0 ? newStart : newStart - 1;
    const to = oldCount === 0 ? oldStart : oldStart - 1;
    now.splice(to, oldCount, ...then.slice(from, from + newCount));
  }
  return now.join('');
}

function lineEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What git makes of the snapshot with these bytes, as a user would apply them. */
async function appliedTo(snapshot: Snapshot, patch: Uint8Array): Promise<Record<string, string>> {
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  if (patch.length > 0) git(folder, ['apply', '--whitespace=nowarn', '-'], patch);
  return filesOf(folder);
}

describe.each([1, 2, 3, 4])('random edits, seed %i', (seed) => {
  test('P08 any choice of hunks applies and gives exactly what was chosen; all of them are the patch', async () => {
    const random = randomOf(seed);
    const { base, changes } = randomCase(random);
    const snapshot = await snapshotWith(base);
    const { bytes } = await makePatch(snapshot, changes);
    const parts = splitPatch(bytes);
    expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true);
    expect(composePatch(parts, () => false).equals(bytes)).toBe(true);
    expect(composePatch(parts, () => true)).toHaveLength(0);
    for (const part of parts.filter(({ whole }) => !whole)) {
      const pieces = [part.head, ...part.hunks.map((hunk) => hunk.bytes)];
      expect(Buffer.concat(pieces).equals(part.bytes)).toBe(true);
    }
    const before = await appliedTo(snapshot, new Uint8Array());
    const after = await appliedTo(snapshot, bytes);
    const coupled = coupledParts(parts);
    for (const share of [0.1, 0.5, 0.9]) {
      const out = new Set<string>();
      for (const { id, part } of patchUnits(parts)) {
        if (!random.chance(share)) continue;
        out.add(id);
        if ((coupled[part]?.length ?? 0) > 1)
          for (const one of coupled[part] ?? []) out.add(String(one));
      }
      const found = await appliedTo(
        snapshot,
        composePatch(parts, (id) => out.has(id)),
      );
      const expected: Record<string, string> = { ...before };
      for (const [index, part] of parts.entries()) {
        const was = before[part.path];
        const becomes = after[part.path];
        if (part.whole) {
          if (out.has(String(index))) continue;
          if (becomes === undefined) delete expected[part.path];
          else expected[part.path] = becomes;
        } else {
          const text = expectedText(
            part,
            index,
            (was ?? '').slice(7),
            (becomes ?? '').slice(7),
            out,
          );
          expected[part.path] = `${(was ?? '').slice(0, 7)}${text}`;
        }
      }
      expect(found).toEqual(expected);
    }
  });
});

test('hunks far apart: leaving one out leaves out that edit and no other', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at}\n`);
  const edits: [number, number, string[]][] = [
    [5, 1, ['five\n', 'more\n', 'more\n']],
    [40, 3, []],
    [90, 0, ['between\n']],
    [140, 2, ['one\n']],
    [199, 1, ['the end']],
  ];
  const withEdits = (chosen: readonly number[]): string => {
    const now = [...lines];
    for (const [at, [start, gone, fresh]] of [...edits.entries()].toReversed()) {
      if (chosen.includes(at)) now.splice(start, gone, ...fresh);
    }
    return now.join('');
  };
  const all = [0, 1, 2, 3, 4];
  const snapshot = await snapshotWith({ f: lines.join('') });
  const content = Buffer.from(withEdits(all));
  const { bytes } = await makePatch(snapshot, [
    { path: 'f', kind: 'file', executable: false, content },
  ]);
  const parts = splitPatch(bytes);
  expect(parts[0]?.hunks).toHaveLength(5);
  for (let choice = 0; choice < 32; choice += 5) {
    const chosen = all.filter((at) => (choice & (1 << at)) !== 0);
    const composed = composePatch(parts, (id) => !chosen.includes(Number(id.slice(2))));
    expect(await appliedTo(snapshot, composed)).toEqual({ f: `100644 ${withEdits(chosen)}` });
    // Git finds every hunk where it says it is: no offset.
    const folder = testFolder();
    await unpack(seedEntries(snapshot), folder);
    if (composed.length > 0) {
      const verbose = git(folder, ['apply', '--check', '-v', '-'], composed).toString();
      expect(verbose).not.toContain('offset');
    }
  }
});

test('a file that makes way for a folder goes together with what lies in the folder', async () => {
  const snapshot = await snapshotWith({ a: 'a\n', b: 'b\n' });
  const { bytes } = await makePatch(snapshot, [
    { path: 'a', kind: 'deleted' },
    { path: 'a/x/1', kind: 'file', executable: false, content: Buffer.from('1\n') },
    { path: 'a/x/2', kind: 'file', executable: false, content: Buffer.from('2\n') },
    { path: 'b', kind: 'deleted' },
  ]);
  const parts = splitPatch(bytes);
  expect(parts.map(({ path }) => path)).toEqual(['a', 'a/x/1', 'a/x/2', 'b']);
  expect(coupledParts(parts)).toEqual([[0, 1, 2], [0, 1, 2], [0, 1, 2], [3]]);
});
