import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { visible } from '../lib/index.ts';
import { exportFiles, exportPatch, makePatch, mboxOf, seedEntries, takeSnapshot } from './index.ts';
import type { Change, Snapshot } from './index.ts';
import {
  deleted,
  file,
  filesOf,
  git,
  gitLine,
  repositoryWith,
  symlink,
  testFolder,
  unpack,
} from './testing/repositories.ts';

const PATCH = Buffer.from('diff --git a/x b/x\nnew file mode 100644\n');

describe('exportPatch', () => {
  test('the raw bytes, in a folder that is made, under a name of its own', async () => {
    const out = join(testFolder(), 'not', 'there yet');
    const one = await exportPatch(PATCH, { out, name: 'Fix: a/b "c"', format: 'patch' });
    const two = await exportPatch(PATCH, { out, name: 'Fix: a/b "c"', format: 'patch' });
    expect(one).toBe(join(out, 'Fix-a-b-c.patch'));
    expect(two).toBe(join(out, 'Fix-a-b-c-2.patch'));
    expect(readFileSync(one).equals(PATCH)).toBe(true);
    expect(Object.keys(filesOf(out))).toHaveLength(2);
  });

  test('nothing that exists is overwritten or followed: files, links, dangling links', async () => {
    const folder = testFolder();
    const out = join(folder, 'out');
    mkdirSync(out);
    writeFileSync(join(folder, 'target'), 'mine\n');
    symlinkSync(join(folder, 'target'), join(out, 'n.patch'));
    symlinkSync(join(folder, 'dangling'), join(out, 'n-2.patch'));
    mkdirSync(join(out, 'n-3.patch'));
    const path = await exportPatch(PATCH, { out, name: 'n', format: 'patch' });
    expect(path).toBe(join(out, 'n-4.patch'));
    expect(filesOf(folder)).toEqual({
      target: '100644 mine\n',
      'out/n.patch': `120000 ${join(folder, 'target')}`,
      'out/n-2.patch': `120000 ${join(folder, 'dangling')}`,
      'out/n-4.patch': `100644 ${PATCH.toString()}`,
    });
  });

  test('files that belong together get the same number', async () => {
    const out = testFolder();
    writeFileSync(join(out, 'n.json'), 'taken');
    const files = [
      { suffix: '.patch', bytes: PATCH },
      { suffix: '.json', bytes: Buffer.from('{}') },
    ];
    expect(await exportFiles(out, 'n', files)).toEqual([
      join(out, 'n-2.patch'),
      join(out, 'n-2.json'),
    ]);
    expect(Object.keys(filesOf(out)).toSorted()).toEqual(['n-2.json', 'n-2.patch', 'n.json']);
  });

  test('a place that cannot be written, and nothing to write', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(
      exportPatch(PATCH, { out: join(folder, 'file', 'below'), name: 'n', format: 'patch' }),
    ).rejects.toMatchObject({ code: 'out_unwritable' });
    await expect(
      exportPatch(PATCH, { out: '/proc/none', name: 'n', format: 'patch' }),
    ).rejects.toMatchObject({ code: 'out_unwritable' });
    await expect(
      exportPatch(new Uint8Array(), { out: folder, name: 'n', format: 'patch' }),
    ).rejects.toMatchObject({ code: 'nothing_to_export' });
  });
});

describe('mbox', () => {
  const BASE = {
    'a.txt': 'one\ntwo\n',
    'crlf.txt': 'a\r\nb\r\n',
    'latin1.txt': Buffer.from('caf\xe9\n', 'latin1'),
    bin: Buffer.from([0, 1, 2]),
  };

  async function am(
    snapshot: Snapshot,
    changes: readonly Change[],
    title: string,
    body?: string,
  ): Promise<{ folder: string; mail: Uint8Array }> {
    const patch = await makePatch(snapshot, changes);
    const facts = {
      title,
      dateMs: Date.UTC(2026, 0, 2, 3, 4, 5),
      ...(body === undefined ? {} : { body }),
    };
    const mail = mboxOf(patch.bytes, facts);
    const folder = testFolder();
    await unpack(seedEntries(snapshot), folder);
    git(folder, ['am', '-q'], mail);
    expect(gitLine(folder, 'rev-parse', 'HEAD^{tree}')).toBe(patch.tree);
    return { folder, mail };
  }

  test('git am takes plain text as it is, with subject, body, author and date', async () => {
    const repository = repositoryWith(BASE);
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const body = 'Session 1\n---\ndiff --git a/x b/x\nFrom here on\n-- \n> quoted';
    const changes = [file('a.txt', 'one\nFrom me\n2\n')];
    const { folder, mail } = await am(
      snapshot,
      changes,
      'Crash when the list is empty\nmore',
      body,
    );
    expect(Buffer.from(mail).toString()).toContain('Content-Transfer-Encoding: 8bit');
    expect(gitLine(folder, 'log', '-1', '--format=%s|%an|%ae|%aI')).toBe(
      'Crash when the list is empty|Vivarium|vivarium@localhost|2026-01-02T03:04:05+00:00',
    );
    expect(gitLine(folder, 'log', '-1', '--format=%b')).toBe(
      'Session 1\n  ---\n  diff --git a/x b/x\n  From here on\n  --\n> quoted',
    );
  });

  test('P04 git am gives the same bytes for CRLF, Latin-1, binaries, long lines, modes and links', async () => {
    const repository = repositoryWith(BASE);
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const changes = [
      file('crlf.txt', 'a\r\nB\r\nno end'),
      file('latin1.txt', Buffer.from('caf\xe9 ol\xe9\n', 'latin1')),
      file('bin', Buffer.from([0, 255, 10, 13])),
      file('long.txt', `${'x'.repeat(5000)}\n`),
      file('run.sh', '#!/bin/sh\r\n', true),
      file('late-nul.txt', Buffer.concat([Buffer.alloc(9000, 'line\n'), Buffer.from([0, 10])])),
      symlink('link', 'a.txt'),
      deleted('a.txt'),
    ];
    const { mail } = await am(
      snapshot,
      changes,
      'Änderung für „alles“: 漢字 😀 und noch viel mehr Text',
    );
    expect(Buffer.from(mail).toString('latin1')).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('the subject survives other alphabets, control characters and length', async () => {
    const repository = repositoryWith(BASE);
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const title = `Änderung\r\u001b[31m für „alles“: 漢字 😀 ${'x'.repeat(200)}`;
    const { folder } = await am(snapshot, [file('a.txt', 'x\n')], title);
    const subject = gitLine(folder, 'log', '-1', '--format=%s');
    expect(subject.startsWith('Änderung [31m für „alles“: 漢字 😀 xxx')).toBe(true);
    expect(subject.endsWith('x…')).toBe(true);
    const { folder: second } = await am(snapshot, [file('a.txt', 'x\n')], '   ');
    expect(gitLine(second, 'log', '-1', '--format=%s')).toBe('Fix');
  });
});

test('P10 a patch is shown with its hidden characters visible, and exported as it is', async () => {
  const repository = repositoryWith({ 'a.txt': 'x\n' });
  const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
  const content = 'a\u202eb\u200bc\u001b[2Jd\r\n';
  const { bytes } = await makePatch(snapshot, [file('a.txt', content)]);
  expect(visible(bytes)).toContain('+a\\u{202e}b\\u{200b}c\\x1b[2Jd\\r\n');
  const path = await exportPatch(bytes, { out: testFolder(), name: 'n', format: 'patch' });
  expect(readFileSync(path).includes(Buffer.from(content))).toBe(true);
});
