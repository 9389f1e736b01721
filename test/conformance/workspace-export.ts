import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TreeChanges, Workspace } from '../../src-main/workspaces/index.ts';
import { bytesOf, file, link } from '../support/workspaces.ts';
import type { Subject } from './subject.ts';

const SEED = [
  file('.git/HEAD', 'ref: refs/heads/main\n'),
  file('a.txt', 'a\n'),
  file('bin/tool', '#!/bin/sh\n', true),
  file('dir/one', '1'),
  file('dir/two', '2'),
  file('other/one', 'o1'),
  file('umlaut-ü/\u20ac', 'e'),
  link('ln', 'dir/one'),
];

function summary(changes: TreeChanges): {
  written: string[];
  deleted: string[];
  refused: string[];
} {
  return {
    written: changes.written
      .map(({ entry, content }) => {
        const kind = entry.kind === 'file' ? (entry.executable ? 'x' : 'f') : entry.kind;
        expect(entry.size).toBe(content.length);
        return `${kind} ${entry.path} ${bytesOf(content)}`;
      })
      .toSorted(),
    deleted: changes.deleted.toSorted(),
    refused: changes.refused.map(({ path, reason }) => `${path}: ${reason}`).toSorted(),
  };
}

const NOTHING = { written: [], deleted: [], refused: [] };

/** What changed, as bytes that the host can make a patch of. */
export function exportCases(subject: Subject): void {
  async function seeded(work: (workspace: Workspace) => Promise<void>): Promise<void> {
    const workspace = await subject.maker.open({ seed: SEED });
    try {
      await work(workspace);
    } finally {
      await workspace.close();
    }
  }
  const sh = async (workspace: Workspace, command: string) => {
    const result = await workspace.run({ command, shell: 'sh', timeoutMs: 20_000 });
    expect(result.exitCode).toBe(0);
    // Past the margin in which a change is told twice rather than missed.
    await delay(60);
  };

  describe('exports', () => {
    test('an untouched tree has no changes', () =>
      seeded(async (workspace) => {
        expect(summary(await workspace.exportTree())).toEqual(NOTHING);
        expect(summary(await workspace.exportChanges())).toEqual(NOTHING);
      }));

    test('P04 edits, modes, links, odd names and deletions; then only what is new', () =>
      seeded(async (workspace) => {
        await sh(
          workspace,
          'printf b >a.txt; chmod -x bin/tool; rm dir/one; ln -sf ../etc ln2; printf n >"new\nline"; ' +
            'mkdir -p empty; printf "\\000\\377" >bytes',
        );
        const first = {
          written: [
            'f a.txt b',
            'f bin/tool #!/bin/sh\n',
            'f bytes \0\xff',
            'f new\nline n',
            'symlink ln2 ../etc',
          ],
          deleted: ['dir/one'],
          refused: [],
        };
        expect(summary(await workspace.exportChanges())).toEqual(first);
        await delay(60);
        expect(summary(await workspace.exportChanges())).toEqual(NOTHING);
        await sh(workspace, 'rm bytes; printf 3 >dir/one; printf c >a.txt');
        expect(summary(await workspace.exportChanges())).toEqual({
          written: ['f a.txt c', 'f dir/one 3'],
          deleted: ['bytes'],
          refused: [],
        });
        expect(summary(await workspace.exportTree())).toEqual({
          written: [
            'f a.txt c',
            'f bin/tool #!/bin/sh\n',
            'f dir/one 3',
            'f new\nline n',
            'symlink ln2 ../etc',
          ],
          deleted: [],
          refused: [],
        });
      }));

    test('moved folders, whose files keep their times, are seen', () =>
      seeded(async (workspace) => {
        await sh(workspace, 'mv dir t; mv other dir; mv t other');
        expect(summary(await workspace.exportChanges())).toEqual({
          written: ['f dir/one o1', 'f other/one 1', 'f other/two 2'],
          deleted: ['dir/two'],
          refused: [],
        });
      }));

    test('a change of the same length with the old time set back is seen', () =>
      seeded(async (workspace) => {
        await sh(
          workspace,
          'touch -r a.txt /tmp/ref; printf "b\\n" >a.txt; touch -r /tmp/ref a.txt',
        );
        expect(summary(await workspace.exportChanges()).written).toEqual(['f a.txt b\n']);
      }));

    test('a change right after an export is in the next one', () =>
      seeded(async (workspace) => {
        for (let at = 0; at < 20; at += 1) {
          await workspace.exportChanges();
          await workspace.writeFile('a.txt', Buffer.from(String.fromCharCode(97 + at)));
          const { written } = summary(await workspace.exportChanges());
          expect(written).toEqual([`f a.txt ${String.fromCharCode(97 + at)}`]);
        }
      }));

    test('files written by us are exported, through links and with their modes; .git and /tmp are not', () =>
      seeded(async (workspace) => {
        for (const path of ['a.txt', 'bin/tool', 'ln', 'new/deep/er', '.git/config', '/tmp/out']) {
          await workspace.writeFile(path, Buffer.from('w'));
        }
        const written = ['f a.txt w', 'f dir/one w', 'f new/deep/er w', 'x bin/tool w'];
        expect(summary(await workspace.exportChanges())).toEqual({ ...NOTHING, written });
        expect(summary(await workspace.exportChanges())).toEqual(NOTHING);
        await sh(workspace, 'rm -r new');
        expect(summary(await workspace.exportChanges()).deleted).toEqual(['new/deep/er']);
      }));

    test('a file changed in place by a command is found, and one by a command that goes on', () =>
      seeded(async (workspace) => {
        await sh(workspace, 'printf 9 >dir/two');
        expect(summary(await workspace.exportChanges())).toEqual({
          ...NOTHING,
          written: ['f dir/two 9'],
        });
        const running = sh(workspace, 'sleep 0.5; printf z >a.txt');
        await delay(100);
        expect(summary(await workspace.exportChanges())).toEqual(NOTHING);
        await running;
        expect(summary(await workspace.exportChanges())).toEqual({
          ...NOTHING,
          written: ['f a.txt z'],
        });
        await workspace.run({
          command: '(sleep 0.5; printf y >a.txt) & true',
          shell: 'sh',
          timeoutMs: 5_000,
        });
        await delay(60);
        expect(summary(await workspace.exportChanges())).toEqual(NOTHING);
        await delay(700);
        expect(summary(await workspace.exportChanges())).toEqual({
          ...NOTHING,
          written: ['f a.txt y'],
        });
      }));

    test('P03 nested repositories are named, their files travel, their .git never does', () =>
      seeded(async (workspace) => {
        await sh(
          workspace,
          'mkdir -p sub/.git/objects; printf x >sub/.git/HEAD; printf y >sub/file; printf z >dir/.git; printf g >.git/config',
        );
        expect(summary(await workspace.exportTree())).toEqual({
          written: ['f sub/file y'],
          deleted: [],
          refused: ['dir/.git: a nested git repository', 'sub/.git: a nested git repository'],
        });
      }));

    test('pipes, sockets, names that are no UTF-8, and huge files are refused one by one', () =>
      seeded(async (workspace) => {
        await sh(
          workspace,
          'mkfifo pipe; rm a.txt; mkfifo a.txt; printf l >"$(printf "l\\351")"; dd if=/dev/zero of=huge bs=1048576 count=51 2>/dev/null; printf ok >fine',
        );
        expect(summary(await workspace.exportTree())).toEqual({
          written: ['f fine ok'],
          deleted: ['a.txt'],
          refused: [
            'a.txt: it is a pipe, socket or device',
            'huge: larger than 50 MiB',
            'l\xef\xbf\xbd: its name is not UTF-8'.replace('\xef\xbf\xbd', '\ufffd'),
            'pipe: it is a pipe, socket or device',
          ],
        });
      }));

    test('folders and files that the agent closed to itself are never read as deleted', () =>
      seeded(async (workspace) => {
        await sh(
          workspace,
          'mkdir -p c/d; printf 1 >c/d/f; chmod 000 c/d/f c/d c dir; chmod 000 a.txt .',
        );
        const changes = summary(await workspace.exportTree());
        expect(changes).toEqual({
          written: ['f a.txt a\n', 'f c/d/f 1'],
          deleted: [],
          refused: [],
        });
      }));

    test('a file that grows while it is read does not shift the others', () =>
      seeded(async (workspace) => {
        await workspace.run({
          command:
            '(while :; do printf grow >>growing; done) & until [ -s growing ]; do :; done; for i in 1 2 3 4 5 6 7 8 9; do printf "$i" >"n$i"; done',
          shell: 'sh',
          timeoutMs: 10_000,
        });
        const { written } = await workspace.exportTree();
        const numbers = written.filter(({ entry }) => entry.path.startsWith('n'));
        expect(
          numbers
            .map(({ content }) => bytesOf(content))
            .toSorted()
            .join(''),
        ).toBe('123456789');
        expect(written.some(({ entry }) => entry.path === 'growing')).toBe(true);
      }));

    test('the export works after every process of the workspace was killed', () =>
      seeded(async (workspace) => {
        await workspace.run({ command: 'printf k >killed; kill -9 -1', timeoutMs: 10_000 });
        expect(summary(await workspace.exportTree()).written).toEqual(['f killed k']);
      }));
  });
}
