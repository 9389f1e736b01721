import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changesOfTree,
  makePatch,
  seedEntries,
  seedEntriesAt,
  takeSnapshot,
  type Patch,
  type Snapshot,
} from '../../src-main/patch/index.ts';
import {
  filesOf,
  git,
  gitLine,
  repositoryWith,
  testFolder,
  unpack,
} from '../../src-main/patch/testing/repositories.ts';
import type { Workspace } from '../../src-main/workspaces/index.ts';
import { openBench, textOf, type Bench } from '../support/workspaces.ts';

const FILES = {
  '.gitignore': '*.log\n',
  'a.py': 'x = 1\n',
  'crlf.txt': 'a\r\nb\r\n',
  'latin1.txt': Buffer.from('caf\xe9\n', 'latin1'),
  'bin.dat': Buffer.from([0, 1, 2, 255]),
  'run.sh': '#!/bin/sh\n',
  'gone.txt': 'x\n',
  'old.txt': 'moved\n',
};

/** What an agent does to be nasty, or just careless, on top of a real change. */
const PLANT = `
git config core.fsmonitor "touch /tmp/canary-fsmonitor"
git config filter.x.clean "touch /tmp/canary-clean; cat"
git config diff.external "touch /tmp/canary-external"
git config diff.noprefix true
git config color.ui always
git config core.hooksPath .hooks
mkdir -p .git/hooks && printf '#!/bin/sh\\ntouch /tmp/canary-hook\\n' > .git/hooks/post-index-change
chmod +x .git/hooks/post-index-change
`;

const WORK = `
set -e
git status --porcelain
git log --format=%s
git remote
printf 'x = 2\\n' > a.py && git add a.py && git commit -q -m fix
printf 'a\\r\\nB\\r\\n' > crlf.txt
printf 'caf\\351s\\n' > latin1.txt
printf '\\000\\001' > bin.dat
chmod +x run.sh
rm gone.txt
git mv old.txt new.txt
printf 'x\\n' > "ä ö.txt"
printf 'x' > "$(printf 'new\\nline')"
printf 'x\\n' > debug.log
mkdir -p node_modules/m __pycache__ && touch node_modules/m/i.js __pycache__/a.pyc
ln -s /etc/passwd leak
git init -q nested && printf 'n\\n' > nested/n.txt
`;

describe('from a repository through a real workspace to a patch', () => {
  let bench: Bench;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'vivarium-home-'));
    bench = await openBench();
  });
  afterAll(async () => {
    await bench.dispose();
    rmSync(home, { recursive: true });
  });

  const takePatch = async (snapshot: Snapshot, workspace: Workspace): Promise<Patch> => {
    const { changes, leftOut } = changesOfTree(await workspace.exportTree());
    return makePatch(snapshot, changes, { leftOut });
  };

  test('P01 P03 P04 P05 P06 P07 B11 commits, all kinds of change, planted configuration', async () => {
    const snapshot = await takeSnapshot(repositoryWith(FILES), { home, sessionId: 's1' });
    const workspace = await bench.open({ seed: seedEntries(snapshot) });
    const worked = await workspace.run({ command: WORK, timeoutMs: 20_000 });
    expect([textOf(worked.stdout), textOf(worked.stderr), worked.exitCode]).toEqual([
      'Start of the session\n',
      '',
      0,
    ]);
    const clean = await takePatch(snapshot, workspace);
    await workspace.run({ command: PLANT, timeoutMs: 20_000 });
    const patch = await takePatch(snapshot, workspace);
    expect(Buffer.from(patch.bytes).equals(Buffer.from(clean.bytes))).toBe(true);
    for (const name of ['fsmonitor', 'clean', 'external', 'hook']) {
      expect(existsSync(`/tmp/canary-${name}`)).toBe(false);
    }
    const folder = testFolder();
    await unpack(seedEntries(snapshot), folder);
    git(folder, ['apply', '-'], patch.bytes);
    expect(filesOf(folder)).toEqual({
      '.gitignore': '100644 *.log\n',
      'a.py': '100644 x = 2\n',
      'crlf.txt': '100644 a\r\nB\r\n',
      'latin1.txt': '100644 caf\xe9s\n',
      'bin.dat': '100644 \0\u0001',
      'run.sh': '100755 #!/bin/sh\n',
      'new.txt': '100644 moved\n',
      'ä ö.txt': '100644 x\n',
      'new\nline': '100644 x',
      leak: '120000 /etc/passwd',
      'nested/n.txt': '100644 n\n',
    });
    const leftOut = patch.leftOut.map(({ path: name, reason }) => `${name}: ${reason}`);
    expect(leftOut).toContain('debug.log: ignored by .gitignore line 1 (*.log)');
    expect(leftOut).toContain('node_modules/m/i.js: build output');
    expect(leftOut).toContain('__pycache__/a.pyc: build output');
    expect(leftOut.some((line) => line.startsWith('nested'))).toBe(true);
  });

  test('P08 P11 a workspace made at a checkpoint has its tree, and nothing more to export', async () => {
    const snapshot = await takeSnapshot(repositoryWith(FILES), {
      home,
      sessionId: 's2',
      history: true,
    });
    const first = await bench.open({ seed: seedEntries(snapshot) });
    expect((await takePatch(snapshot, first)).bytes).toHaveLength(0);
    await first.run({ command: WORK, timeoutMs: 20_000 });
    const { changes } = changesOfTree(await first.exportTree());
    const second = await bench.open({ seed: seedEntriesAt(snapshot, changes) });
    const log = await second.run({ command: 'git log --format=%s', timeoutMs: 10_000 });
    expect(textOf(log.stdout)).toBe('Start of the session\nfirst\n');
    expect(changesOfTree(await second.exportTree()).changes).toEqual([]);
    const status = await second.run({ command: 'git status --porcelain a.py', timeoutMs: 10_000 });
    expect(textOf(status.stdout)).toBe(' M a.py\n');
    expect(gitLine(snapshot.repository, 'status', '--porcelain')).toBe('');
  });
});
