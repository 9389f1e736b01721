import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openHandlers } from './testing/open.ts';
import { proposeVerify } from './verify-proposals.ts';

/** Writes files, folders as needed. */
function write(folder: string, files: Record<string, string>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

function git(folder: string, ...args: string[]): string {
  const name = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', folder, ...name, ...args], { encoding: 'utf8' }).trim();
}

describe('proposals of a verify command', () => {
  const PYTEST = 'python3 -m pytest -q';
  const cases: [string, Record<string, string>, [string, string][]][] = [
    ['nothing', { 'README.md': 'x' }, []],
    [
      'pyproject',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      [[PYTEST, 'pyproject.toml sets up pytest']],
    ],
    ['setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, [[PYTEST, 'setup.cfg sets up pytest']]],
    ['tox.ini', { 'tox.ini': '[tox]\n[pytest]\n' }, [[PYTEST, 'tox.ini sets up pytest']]],
    ['a test file', { 'tests/test_a.py': '' }, [[PYTEST, 'there is tests/test_a.py']]],
    ['a test file at the top', { 'a_test.py': '' }, [[PYTEST, 'there is a_test.py']]],
    [
      'npm',
      { 'package.json': '{"scripts":{"test":"vitest"}}' },
      [['npm test', 'package.json has a test script']],
    ],
    [
      'pnpm',
      { 'package.json': '{"scripts":{"test":"vitest"}}', 'pnpm-lock.yaml': '' },
      [['pnpm test', 'package.json has a test script, and there is pnpm-lock.yaml']],
    ],
    [
      'yarn',
      { 'package.json': '{"scripts":{"test":"vitest"}}', 'yarn.lock': '' },
      [['yarn test', 'package.json has a test script, and there is yarn.lock']],
    ],
    [
      'npm without tests',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\""}}' },
      [],
    ],
    ['a broken package.json', { 'package.json': '{' }, []],
    ['go', { 'go.mod': 'module x' }, [['go test ./...', 'there is go.mod']]],
    ['rust', { 'Cargo.toml': '' }, [['cargo test --offline', 'there is Cargo.toml']]],
    ['maven', { 'pom.xml': '', mvnw: '' }, [['./mvnw -o -q test', 'there is pom.xml']]],
    [
      'gradle',
      { 'build.gradle.kts': '' },
      [['gradle --offline test', 'there is build.gradle.kts']],
    ],
    [
      'make',
      { Makefile: 'all:\n\techo\ntest: all\n\tpytest\n' },
      [['make test', 'Makefile has the target test']],
    ],
    ['make without tests', { Makefile: 'test := 1\nall:\n' }, []],
  ];

  test.each(cases)('%s', async (_name, files, expected) => {
    const { folder } = openHandlers();
    const found = await proposeVerify(write(path.join(folder, 'repo'), files));
    expect(found.map(({ command, because }) => [command, because])).toEqual(expected);
  });

  test('no link leads out of the repository', async () => {
    const { folder } = openHandlers();
    const outside = write(path.join(folder, 'outside'), {
      Makefile: 'test:\n',
      'tests/test_a.py': '',
    });
    const top = write(path.join(folder, 'repo'), { a: '' });
    symlinkSync(path.join(outside, 'Makefile'), path.join(top, 'Makefile'));
    symlinkSync(path.join(outside, 'tests'), path.join(top, 'tests'));
    expect(await proposeVerify(top)).toEqual([]);
  });
});

describe('a look at a repository', () => {
  test('tells top, head, what differs, proposals and settings, and writes nothing', async () => {
    const { folder, handlers, context } = openHandlers();
    const top = write(path.join(folder, 'shop'), {
      'a.py': '1\n',
      'b.py': '1\n',
      'tests/test_a.py': '',
      'vivarium.yaml': 'verify: make check\nlimits:\n  steps: 9\nprotect: [x/**, y]\n',
      '.gitignore': 'ignored\n',
    });
    git(top, 'init', '-q', '-b', 'trunk');
    git(top, 'add', '.');
    git(top, 'commit', '-q', '-m', 'A shop\n\nwith a body');
    const commit = git(top, 'rev-parse', 'HEAD');
    write(top, { 'a.py': '2\n', ignored: '', 'new/x': '', 'new/y': '' });
    execFileSync('rm', [path.join(top, 'b.py')]);
    const before = execFileSync('find', [top, '-printf', '%p %T@ %s\\n'], { encoding: 'utf8' });
    const found = await handlers['repositories/inspect'](
      { path: path.join(top, 'tests') },
      context,
    );
    expect(found).toEqual({
      top,
      name: 'shop',
      head: { commit, branch: 'trunk', subject: 'A shop' },
      dirty: { modified: 2, untracked: 2 },
      verifyProposals: [
        { command: 'make check', because: 'vivarium.yaml names it' },
        { command: 'python3 -m pytest -q', because: 'there is tests/test_a.py' },
      ],
      settings: { verify: 'make check', 'limits.steps': '9', protect: 'x/**, y' },
    });
    expect(execFileSync('find', [top, '-printf', '%p %T@ %s\\n'], { encoding: 'utf8' })).toBe(
      before,
    );
    git(top, 'checkout', '-q', '--detach');
    const detached = await handlers['repositories/inspect']({ path: top }, context);
    expect(detached.head.branch).toBeNull();
    await expect(handlers['repositories/inspect']({ path: folder }, context)).rejects.toMatchObject(
      {
        code: 'repo_not_git',
      },
    );
  });
});

test('a change in the same second as the commit, of the same size, is seen later too', async () => {
  const { folder, handlers, context } = openHandlers();
  const top = write(path.join(folder, 'shop'), { 'a.py': '1\n' });
  git(top, 'init', '-q');
  const file = path.join(top, 'a.py');
  const second = (): number => Math.floor(statSync(file).ctimeMs / 1000);
  const changedWithinASecond = (): boolean => {
    write(top, { 'a.py': '1\n' });
    const before = second();
    git(top, 'add', '.');
    git(top, 'commit', '-q', '--allow-empty', '-m', 'A shop');
    write(top, { 'a.py': '2\n' });
    return second() === before;
  };
  // On a machine that is busy the second may end in between.
  while (!changedWithinASecond());
  while (Math.floor(Date.now() / 1000) === second()) await sleep(20);
  const { dirty } = await handlers['repositories/inspect']({ path: top }, context);
  expect(dirty).toEqual({ modified: 1, untracked: 0 });
});

describe('folders for a picker', () => {
  test('by name, repositories marked, hidden ones on request, links and files left out', async () => {
    const { folder, handlers, context } = openHandlers();
    const place = write(path.join(folder, 'place'), {
      'b10/.git/HEAD': '',
      'b9/x': '',
      '.hidden/x': '',
      'worktree/.git': 'gitdir: x',
      file: '',
    });
    symlinkSync('/', path.join(place, 'link'));
    const list = (given: string, hidden = false) =>
      handlers['folders/list']({ path: given, hidden }, context);
    const names = async (hidden: boolean) =>
      (await list(place, hidden)).entries.map(({ name }) => name);
    expect(await names(false)).toEqual(['b9', 'b10', 'worktree']);
    expect(await names(true)).toEqual(['.hidden', 'b9', 'b10', 'worktree']);
    const found = await list(place);
    expect([found.path, found.parent]).toEqual([place, folder]);
    expect(found.entries.map(({ isRepository }) => isRepository)).toEqual([false, true, true]);
    expect((await list('/')).parent).toBeNull();
    await expect(list(path.join(place, 'nothing'))).rejects.toMatchObject({
      code: 'repo_not_found',
      message: `there is no folder ${path.join(place, 'nothing')}`,
    });
    await expect(list(path.join(place, 'file'))).rejects.toMatchObject({ code: 'repo_not_found' });
  });
});
