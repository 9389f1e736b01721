import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkApplies, makePatch, seedEntries, seedEntriesAt, takeSnapshot } from './index.ts';
import type { Patch, Snapshot } from './index.ts';
import {
  deleted,
  file,
  filesOf,
  fingerprint,
  git,
  gitLine,
  repositoryWith,
  symlink,
  testFolder,
  unpack,
  write,
} from './testing/repositories.ts';

const BASE = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.py': 'x = 1\n',
  'crlf.txt': 'a\r\nb\r\n',
  '.gitignore': '*.log\n',
};

/** A script that leaves a trace when anything runs it. */
function canary(folder: string): { script: string; ran: () => boolean } {
  const trace = join(folder, 'RAN');
  write(folder, { canary: { run: `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat\nexit 0\n` } });
  return { script: join(folder, 'canary'), ran: () => existsSync(trace) };
}

/** Every setting known to run a command or to bend a diff, as a config file. */
function hostileConfig(script: string): string {
  return [
    '[core]',
    `\tfsmonitor = ${script}`,
    `\thooksPath = ${script}-hooks`,
    `\tpager = ${script}`,
    `\teditor = ${script}`,
    `\tsshCommand = ${script}`,
    `\tgitProxy = ${script}`,
    `\talternateRefsCommand = ${script}`,
    '\tautocrlf = true',
    '\tsafecrlf = true',
    '\tquotePath = false',
    '\twhitespace = tab-in-indent,cr-at-eol',
    '\tuntrackedCache = true',
    '[diff]',
    `\texternal = ${script}`,
    `\torderFile = ${script}`,
    '\tnoprefix = true',
    '\tmnemonicPrefix = true',
    '\trenames = copies',
    '\tcontext = 0',
    '\tinterHunkContext = 9',
    '\talgorithm = patience',
    '\tsuppressBlankEmpty = true',
    '\tsubmodule = log',
    '\tignoreSubmodules = all',
    '[diff "x"]',
    `\tcommand = ${script}`,
    `\ttextconv = ${script}`,
    '[filter "x"]',
    `\tclean = ${script}`,
    `\tsmudge = ${script}`,
    `\tprocess = ${script}`,
    '\trequired = true',
    '[color]',
    '\tui = always',
    '\tdiff = always',
    '[apply]',
    '\twhitespace = error-all',
    '\tignoreWhitespace = change',
    '[uploadpack]',
    `\tpackObjectsHook = ${script}`,
    '[gpg]',
    `\tprogram = ${script}`,
    '[commit]',
    '\tgpgSign = true',
    '[alias]',
    `\trev-parse = !${script}`,
    `\tls-files = !${script}`,
    '[interactive]',
    `\tdiffFilter = ${script}`,
    '[credential]',
    `\thelper = ${script}`,
    '[fetch]',
    '\trecurseSubmodules = true',
    '',
  ].join('\n');
}

const HOOKS = [
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-checkout',
  'post-commit',
  'fsmonitor-watchman',
  'pre-auto-gc',
  'push-to-checkout',
  'applypatch-msg',
  'pre-applypatch',
  'proc-receive',
];

function plantInRepository(repository: string, script: string): void {
  const config = join(repository, '.git', 'config');
  writeFileSync(config, `${readFileSync(config, 'utf8')}\n${hostileConfig(script)}`);
  for (const hook of HOOKS) {
    const run = { run: `#!/bin/sh\n${script} ${hook}\n` };
    write(repository, { [`.git/hooks/${hook}`]: run });
    write(`${script}-hooks`, { [hook]: run });
  }
  write(repository, { '.git/info/attributes': '* filter=x diff=x\n' });
}

const CHANGES = [
  file('a.txt', 'one\n2\nthree\n'),
  file('new.txt', 'new  \r\n \tx\n'),
  file('b.py', Buffer.from([0, 1, 2])),
  file('crlf.txt', 'a\r\nB\r\n'),
];

interface Worked {
  snapshot: Snapshot;
  patch: Patch;
  applies: boolean;
  seed: Record<string, string>;
}

/** All that this room does with a repository. */
async function everything(repository: string): Promise<Worked> {
  const home = testFolder();
  const snapshot = await takeSnapshot(repository, { home, sessionId: 's1', history: true });
  const patch = await makePatch(snapshot, CHANGES);
  const { applies } = await checkApplies(patch.bytes, repository, { home });
  const folder = testFolder();
  await unpack(seedEntries(snapshot), folder);
  return { snapshot, patch, applies, seed: filesOf(folder) };
}

describe('P05 planted configuration, hooks and attributes', () => {
  test('the repository of the user: nothing runs, and the patch is the same as without', async () => {
    const clean = await everything(repositoryWith(BASE));
    const repository = repositoryWith(BASE);
    const trap = canary(testFolder());
    plantInRepository(repository, trap.script);
    const before = fingerprint(repository);
    const worked = await everything(repository);
    expect(trap.ran()).toBe(false);
    expect(worked.applies).toBe(true);
    expect(Buffer.from(worked.patch.bytes).equals(Buffer.from(clean.patch.bytes))).toBe(true);
    expect(worked.patch.tree).toBe(clean.patch.tree);
    expect(worked.seed).toEqual(clean.seed);
    expect(fingerprint(repository)).toEqual(before);
    // The trap is a real one: git itself falls into it.
    write(repository, { 'a.txt': 'changed\n' });
    expect(() => git(repository, ['status'])).toThrow('clean filter');
    expect(trap.ran()).toBe(true);
  });

  test('attributes in the tree that name filters, conversions and drivers have no effect', async () => {
    const attributes =
      '* filter=x diff=x ident text=auto eol=crlf -diff merge=x\n*.py working-tree-encoding=UTF-16\n';
    const repository = repositoryWith(BASE);
    const trap = canary(testFolder());
    plantInRepository(repository, trap.script);
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const patch = await makePatch(snapshot, [file('.gitattributes', attributes), ...CHANGES]);
    expect(trap.ran()).toBe(false);
    const text = Buffer.from(patch.bytes).toString('latin1');
    expect(text).toContain('-two\n+2\n');
    expect(text).toContain('+B\r\n');
    expect(patch.files).toHaveLength(5);
  });

  describe('the configuration of the machine', () => {
    afterEach(() => vi.unstubAllEnvs());

    test('a hostile home and environment change nothing', async () => {
      const clean = await everything(repositoryWith(BASE));
      const home = testFolder();
      const trap = canary(testFolder());
      write(home, { '.gitconfig': hostileConfig(trap.script) });
      write(home, { '.config/git/config': hostileConfig(trap.script) });
      write(home, { '.config/git/attributes': '* filter=x diff=x text eol=crlf\n' });
      write(home, { '.config/git/ignore': '*\n' });
      const environment = {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'diff.noprefix',
        GIT_CONFIG_VALUE_0: 'true',
        GIT_EXTERNAL_DIFF: trap.script,
        GIT_PAGER: trap.script,
        GIT_DIFF_OPTS: '--unified=0',
        GIT_DIR: '/nonexistent',
        GIT_INDEX_FILE: '/nonexistent',
        GIT_WORK_TREE: '/nonexistent',
        GIT_OBJECT_DIRECTORY: '/nonexistent',
        GIT_TRACE: '1',
        GIT_LITERAL_PATHSPECS: '1',
        LC_ALL: 'de_DE.UTF-8',
        LANG: 'de_DE.UTF-8',
      };
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      const worked = await everything(repositoryWith(BASE));
      expect(trap.ran()).toBe(false);
      expect(worked.patch.tree).toBe(clean.patch.tree);
      expect(Buffer.from(worked.patch.bytes).toString('latin1')).toBe(
        Buffer.from(clean.patch.bytes).toString('latin1'),
      );
      expect(worked.seed).toEqual(clean.seed);
      expect(worked.applies).toBe(true);
    });
  });
});

describe('P06 names and links from the workspace', () => {
  let outside: string;
  beforeEach(() => {
    outside = testFolder();
    write(outside, { secret: 'do not read\n' });
  });

  test('nothing outside is read or written, whatever the changes are called', async () => {
    const repository = repositoryWith(BASE);
    const home = join(outside, 'home');
    const snapshot = await takeSnapshot(repository, { home, sessionId: 's1' });
    const before = fingerprint(repository);
    const privateBefore = filesOf(snapshot.gitDir);
    const patch = await makePatch(snapshot, [
      symlink('leak', join(outside, 'secret')),
      symlink('up', '../../..'),
      symlink('dotgit', '.git'),
      file('../../secret', 'overwritten\n'),
      file(join(outside, 'secret'), 'overwritten\n'),
      file('.GIT/config', '[core]\n'),
      file('.git/hooks/post-checkout', 'x\n', true),
      file('sub/.git/config', '[core]\n\tfsmonitor = x\n'),
      file('HEAD', 'ref: refs/heads/x\n'),
      file('config', '[core]\n\tfsmonitor = x\n'),
      file('objects/x', 'x\n'),
      file('refs/x', 'x\n'),
      deleted('../../../secret'),
    ]);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('do not read\n');
    expect(Buffer.from(patch.bytes).toString()).not.toContain('do not read');
    expect(patch.files.map(({ path }) => path)).toEqual([
      'HEAD',
      'config',
      'dotgit',
      'leak',
      'objects/x',
      'refs/x',
      'up',
    ]);
    expect(patch.leftOut).toHaveLength(6);
    expect(fingerprint(repository)).toEqual(before);
    expect(filesOf(snapshot.gitDir)).toEqual(privateBefore);
    expect(readdirSync(outside).toSorted()).toEqual(['home', 'secret']);
  });

  test('a new workspace gets links as links and no bad name', async () => {
    const snapshot = await takeSnapshot(repositoryWith(BASE), {
      home: testFolder(),
      sessionId: 's1',
    });
    const entries: string[] = [];
    const changes = [
      symlink('leak', '/etc/passwd'),
      file('../x', 'x\n'),
      file('/abs', 'x\n'),
      file('.GIT/config', 'x\n'),
    ];
    for await (const { path, mode, content } of seedEntriesAt(snapshot, changes)) {
      if (!path.startsWith('.git/')) entries.push(`${mode} ${path} ${content.length}`);
    }
    expect(entries).toEqual([
      '40000 .git 0',
      '100644 .gitignore 6',
      '100644 a.txt 14',
      '100644 b.py 6',
      '100644 crlf.txt 6',
      '120000 leak 11',
    ]);
  });

  test('the check against the present tree follows no link of it', async () => {
    const repository = repositoryWith({ ...BASE, 'd/f': 'do not read\n' });
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const patch = await makePatch(snapshot, [file('d/f', 'read\n')]);
    mkdirSync(join(outside, 'd'));
    write(outside, { 'd/f': 'do not read\n' });
    write(repository, { d: { link: join(outside, 'd') } });
    expect(await checkApplies(patch.bytes, repository, { home: testFolder() })).toEqual({
      applies: false,
      detail: 'd is not a folder any more',
    });
  });

  test('objects that a replacement ref disguises are seen as they are', async () => {
    const repository = repositoryWith(BASE);
    const real = gitLine(repository, 'rev-parse', 'HEAD:a.txt');
    const fake = gitLine(repository, 'rev-parse', 'HEAD:b.py');
    git(repository, ['replace', '-f', real, fake]);
    const snapshot = await takeSnapshot(repository, {
      home: testFolder(),
      sessionId: 's1',
      history: true,
    });
    const folder = testFolder();
    await unpack(seedEntries(snapshot), folder);
    expect(gitLine(folder, 'show', 'HEAD~1:a.txt')).toBe('one\ntwo\nthree');
  });
});
