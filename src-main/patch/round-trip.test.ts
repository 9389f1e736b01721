import { expect, test } from 'vitest';
import { makePatch, seedEntries, seedEntriesAt, takeSnapshot } from './index.ts';
import type { Change } from './index.ts';
import { filesOf, git, repositoryWith, testFolder, unpack } from './testing/repositories.ts';
import type { Content } from './testing/repositories.ts';

type Random = () => number;

/** Mulberry32: small, seeded, good enough to vary tests. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const NAMES = [
  'a',
  'B',
  'ä',
  '-x',
  ' y ',
  'q"q',
  "s's",
  'n\nl',
  't\tb',
  'b\\s',
  '漢',
  '😀',
  'c.txt',
];
const LINES = [
  'one',
  'two ',
  '\tthree',
  'caf\xe9',
  'x'.repeat(300),
  '',
  '+',
  '-',
  '@@ -1 +1 @@',
  '\\ No',
];
const ENDS = ['\n', '\n', '\n', '\r\n', '\r', '\f\n'];

function randomPath(random: Random): string {
  const depth = 1 + Math.floor(random() * 3);
  const parts = Array.from({ length: depth }, (_, at) =>
    at === depth - 1
      ? `${pick(random, NAMES)}${Math.floor(random() * 9)}`
      : `d${pick(random, NAMES)}`,
  );
  return parts.join('/');
}

function randomBytes(random: Random): Buffer {
  if (random() < 0.15) {
    return Buffer.from(
      Array.from({ length: 1 + random() * 400 }, () => Math.floor(random() * 256)),
    );
  }
  const count = Math.floor(random() * 30);
  let text = '';
  for (let line = 0; line < count; line += 1) text += pick(random, LINES) + pick(random, ENDS);
  if (random() < 0.3) text += 'no end';
  return Buffer.from(text, random() < 0.5 ? 'latin1' : 'utf8');
}

/** Keeps most of the lines, so that hunks have context. */
function edited(random: Random, before: Buffer): Buffer {
  const lines = before.toString('latin1').split(/(?<=\n)/);
  const after = lines.flatMap((line) => {
    const choice = random();
    if (choice < 0.1) return [];
    if (choice < 0.2) return [`new${pick(random, ENDS)}`, line];
    return [choice < 0.3 ? line.toUpperCase() : line];
  });
  return Buffer.from(after.join(''), 'latin1');
}

function randomContent(random: Random): Content {
  if (random() < 0.1) return { link: pick(random, ['a', '../x', '/nowhere', 'ä']) };
  return random() < 0.2 ? { run: randomBytes(random) } : randomBytes(random);
}

function changeTo(path: string, content: Content): Change {
  if (typeof content === 'object' && 'link' in content) {
    return { path, kind: 'symlink', content: Buffer.from(content.link) };
  }
  const executable = typeof content === 'object' && 'run' in content;
  const bytes = executable ? content.run : content;
  return { path, kind: 'file', executable, content: Buffer.from(bytes) };
}

function changedContent(random: Random, before: Content): Content {
  if (typeof before === 'object' && 'run' in before && random() < 0.5) return before.run;
  if (before instanceof Buffer && random() < 0.7) {
    return random() < 0.2 ? { run: before } : edited(random, before);
  }
  return randomContent(random);
}

test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'P04 random tree and changes, seed %i: the patch applies with git and gives the same bytes and modes',
  async (seed) => {
    const random = randomFrom(seed);
    const base: Record<string, Content> = {};
    for (let count = 0; count < 40; count += 1) base[randomPath(random)] = randomContent(random);
    const snapshot = await takeSnapshot(repositoryWith(base), {
      home: testFolder(),
      sessionId: 's',
    });

    const changes = new Map<string, Change>();
    for (const [path, content] of Object.entries(base)) {
      const choice = random();
      if (choice < 0.15) changes.set(path, { path, kind: 'deleted' });
      else if (choice < 0.5) changes.set(path, changeTo(path, changedContent(random, content)));
    }
    for (let count = 0; count < 10; count += 1) {
      const path = randomPath(random);
      if (!(path in base)) changes.set(path, changeTo(path, randomContent(random)));
    }

    const wanted = testFolder();
    await unpack(seedEntriesAt(snapshot, [...changes.values()]), wanted);
    const patch = await makePatch(snapshot, [...changes.values()]);
    const got = testFolder();
    await unpack(seedEntries(snapshot), got);
    if (patch.bytes.length > 0) git(got, ['apply', '--whitespace=nowarn', '-'], patch.bytes);
    expect(filesOf(got)).toEqual(filesOf(wanted));
    expect(patch.leftOut).toEqual([]);
  },
);
