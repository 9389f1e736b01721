import { describe, expect, test } from 'vitest';
import { makePatch, takeSnapshot } from './index.ts';
import type { Change } from './index.ts';
import { applied, patchOf, pathsOf, snapshotWith } from './testing/patches.ts';
import {
  commitAll,
  file,
  git,
  repositoryWith,
  symlink,
  testFolder,
  write,
} from './testing/repositories.ts';

const BASE = { 'a.py': 'one\ntwo\n', 'keep.txt': 'keep\n' };

describe('P02 new files', () => {
  test('untracked ones are in, ignored ones are left out and named, and can be included', async () => {
    const base = {
      ...BASE,
      '.gitignore': '*.log\n/out/\n!keep.log\n',
      'sub/.gitignore': 'local\n',
    };
    const changes = [
      file('new.py', 'x\n'),
      file('debug.log', 'x\n'),
      file('keep.log', 'x\n'),
      file('out/one', 'x\n'),
      file('out/deep/two', 'x\n'),
      file('sub/local', 'x\n'),
      file('local', 'x\n'),
    ];
    const patch = await patchOf(base, changes);
    expect(pathsOf(patch)).toEqual(['keep.log', 'local', 'new.py']);
    expect(patch.leftOut).toEqual([
      { path: 'debug.log', reason: 'ignored by .gitignore line 1 (*.log)' },
      { path: 'out/', reason: 'ignored by .gitignore line 2 (/out/) (2 files)' },
      { path: 'sub/local', reason: 'ignored by sub/.gitignore line 1 (local)' },
    ]);
    const included = await patchOf(base, changes, { include: ['*.log', './out/'] });
    expect(pathsOf(included)).toEqual([
      'debug.log',
      'keep.log',
      'local',
      'new.py',
      'out/deep/two',
      'out/one',
    ]);
  });

  test('the rules are those of the base, not those the agent wrote', async () => {
    const hiding = await patchOf({ ...BASE, '.gitignore': '*.log\n' }, [
      file('.gitignore', '*.py\n'),
      file('evil.py', 'x\n'),
      file('x.log', 'x\n'),
    ]);
    expect(pathsOf(hiding)).toEqual(['.gitignore', 'evil.py']);
    expect(hiding.leftOut).toEqual([
      { path: 'x.log', reason: 'ignored by .gitignore line 1 (*.log)' },
    ]);
  });

  test('tracked files stay in although a rule matches them', async () => {
    const patch = await patchOf({ '.gitignore': '*.log\n', 'kept.log': '1\n' }, [
      file('kept.log', '2\n'),
    ]);
    expect(pathsOf(patch)).toEqual(['kept.log']);
  });

  test('.git/info/exclude counts, too', async () => {
    const repository = repositoryWith(BASE);
    write(repository, { '.git/info/exclude': 'mine.*\n' });
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const patch = await makePatch(snapshot, [file('mine.txt', 'x\n')]);
    expect(patch.leftOut).toEqual([
      { path: 'mine.txt', reason: 'ignored by .git/info/exclude line 1 (mine.*)' },
    ]);
  });

  test('names that look like options or patterns are judged as names', async () => {
    const patch = await patchOf({ '.gitignore': '*.log\n' }, [
      file(':(top)x.log', 'x\n'),
      file(':!y', 'x\n'),
      file('--stdin', 'x\n'),
      file('new\nline.log', 'x\n'),
      file('*.log', 'x\n'),
    ]);
    expect(pathsOf(patch)).toEqual(['--stdin', ':!y']);
    expect(patch.leftOut.map(({ path }) => path)).toEqual([
      ':(top)x.log',
      'new\nline.log',
      '*.log',
    ]);
  });

  test('a file staged before the session is only in when it changed', async () => {
    const repository = repositoryWith(BASE);
    write(repository, { 'staged.txt': 's\n', 'staged2.txt': 's\n' });
    git(repository, ['add', '-A']);
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const patch = await makePatch(snapshot, [
      file('staged.txt', 's\n'),
      file('staged2.txt', 't\n'),
    ]);
    expect(pathsOf(patch)).toEqual(['staged2.txt']);
    expect(patch.files[0]?.status).toBe('modified');
  });
});

describe('P03 submodules and nested repositories', () => {
  test('files below a submodule are refused with the reason, and what the workspace refused is named', async () => {
    const inner = repositoryWith({ 'lib.txt': 'x\n' });
    const repository = repositoryWith(BASE);
    git(repository, [
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner,
      'sub',
    ]);
    commitAll(repository, 'with submodule');
    const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
    const refused = [{ path: 'nested/.git', reason: 'nested repository' }];
    const patch = await makePatch(
      snapshot,
      [file('sub/lib.txt', 'y\n'), file('nested/x.py', 'x\n'), file('a.py', '1\n')],
      { leftOut: refused },
    );
    expect(pathsOf(patch)).toEqual(['a.py', 'nested/x.py']);
    expect(patch.leftOut).toEqual([
      { path: 'nested/.git', reason: 'nested repository' },
      { path: 'sub/lib.txt', reason: 'inside a submodule, which is not part of the snapshot' },
    ]);
  });
});

describe('P07 build output', () => {
  test('well-known folders and files are left out and named, unless they are included', async () => {
    const changes = [
      file('a.py', 'changed\n'),
      file('node_modules/x/index.js', 'x\n'),
      file('node_modules/y/index.js', 'x\n'),
      file('pkg/__pycache__/a.cpython-311.pyc', 'x\n'),
      file('.pytest_cache/v/cache/lastfailed', 'x\n'),
      file('demo.egg-info/PKG-INFO', 'x\n'),
      file('stray.pyc', 'x\n'),
      file('.coverage', 'x\n'),
      file('env/pyvenv.cfg', 'home = /usr/bin\n'),
      file('env/bin/python3', 'x\n', true),
      file('target/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n'),
      file('target/debug/x', 'x\n'),
      file('docs/CACHEDIR.TAG', 'something else\n'),
    ];
    const patch = await patchOf(BASE, changes);
    expect(pathsOf(patch)).toEqual(['a.py', 'docs/CACHEDIR.TAG']);
    expect(patch.leftOut).toEqual([
      { path: 'node_modules/', reason: 'build output (2 files)' },
      { path: 'pkg/__pycache__/a.cpython-311.pyc', reason: 'build output' },
      { path: '.pytest_cache/v/cache/lastfailed', reason: 'build output' },
      { path: 'demo.egg-info/PKG-INFO', reason: 'build output' },
      { path: 'stray.pyc', reason: 'build output' },
      { path: '.coverage', reason: 'build output' },
      { path: 'env/', reason: 'build output (2 files)' },
      { path: 'target/', reason: 'build output (2 files)' },
    ]);
    const included = await patchOf(BASE, changes, { include: ['node_modules/**', 'env/bin/*'] });
    expect(pathsOf(included)).toEqual([
      'a.py',
      'docs/CACHEDIR.TAG',
      'env/bin/python3',
      'node_modules/x/index.js',
      'node_modules/y/index.js',
    ]);
  });

  test('a tracked file in such a folder stays', async () => {
    const patch = await patchOf({ 'node_modules/own/index.js': '1\n' }, [
      file('node_modules/own/index.js', '2\n'),
    ]);
    expect(pathsOf(patch)).toEqual(['node_modules/own/index.js']);
  });
});

describe('P06 names and links that reach out', () => {
  test('bad names are refused and named, the rest is in the patch', async () => {
    const bad = [
      '../x',
      '/etc/x',
      'a/../../x',
      'a//b',
      './x',
      'x/',
      '.git/config',
      '.GIT/config',
      'sub/.Git/hooks/pre-commit',
      '.g\u200cit/config',
      'git~1/config',
      '.git./config',
      '.git::$INDEX_ALLOCATION/config',
      'a\\..\\b',
      '.git\\config',
      'x\0y',
      'n'.repeat(256),
      '\ud800',
      '',
    ];
    const patch = await patchOf(BASE, [
      ...bad.map((path) => file(path, 'evil\n')),
      symlink('.gitmodules', 'elsewhere'),
      file('good.txt', 'x\n'),
    ]);
    expect(pathsOf(patch)).toEqual(['good.txt']);
    expect(patch.leftOut.map(({ path }) => path)).toEqual([...bad, '.gitmodules']);
    expect(patch.leftOut.every(({ reason }) => reason.startsWith('refused: '))).toBe(true);
  });

  test('a link to anywhere is a link in the patch, with a flag, and nothing is read through it', async () => {
    const snapshot = await snapshotWith(BASE);
    const patch = await makePatch(snapshot, [
      symlink('leak', '/etc/passwd'),
      symlink('sub/up', '../../..'),
      symlink('fine', 'a.py'),
    ]);
    const text = Buffer.from(patch.bytes).toString();
    expect(text).toContain('+/etc/passwd\n\\ No newline at end of file');
    expect(text).not.toContain('root:');
    expect(patch.flags.filter(({ kind }) => kind === 'symlink')).toEqual([
      { kind: 'symlink', path: 'fine', line: null, detail: 'leads to a.py' },
      {
        kind: 'symlink',
        path: 'leak',
        line: null,
        detail: 'leads to /etc/passwd, outside the repository',
      },
      {
        kind: 'symlink',
        path: 'sub/up',
        line: null,
        detail: 'leads to ../../.., outside the repository',
      },
    ]);
    expect(await applied(snapshot, patch)).toMatchObject({ leak: '120000 /etc/passwd' });
  });

  test('a file behind a link of the same list, or twice the same name, is no possible tree', async () => {
    const snapshot = await snapshotWith({ ...BASE, 'd/f': 'x\n' });
    const impossible: Change[][] = [
      [symlink('l', '/tmp'), file('l/x', 'evil\n')],
      [file('x', '1\n'), file('x', '2\n')],
      [file('a.py/inside', 'x\n')],
      [file('d', 'x\n')],
    ];
    for (const changes of impossible) {
      await expect(makePatch(snapshot, changes)).rejects.toMatchObject({ code: 'patch_invalid' });
    }
  });
});
