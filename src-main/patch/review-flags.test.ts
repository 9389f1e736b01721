import { describe, expect, test } from 'vitest';
import { REVIEW_FLAGS } from '../contract/index.ts';
import type { ReviewFlag } from '../contract/index.ts';
import { makePatch, reviewFlags, takeSnapshot } from './index.ts';
import type { Change } from './index.ts';
import { flagsOfPath } from './flag-paths.ts';
import { deleted, file, repositoryWith, symlink, testFolder } from './testing/repositories.ts';
import type { Content } from './testing/repositories.ts';

async function flagsOf(
  base: Readonly<Record<string, Content>>,
  changes: readonly Change[],
): Promise<ReviewFlag[]> {
  const repository = repositoryWith({ 'z-last': 'x\n', ...base });
  const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
  const patch = await makePatch(snapshot, changes);
  expect(reviewFlags(patch.bytes)).toEqual(patch.flags);
  return patch.flags;
}

function kinds(flags: readonly ReviewFlag[]): string[] {
  return [...new Set(flags.map(({ kind }) => kind))].toSorted();
}

describe('P09 names', () => {
  test.each([
    ['tests/test_x.py', ['tests']],
    ['src/Tests/helper.py', ['tests']],
    ['pkg/x_test.go', ['tests']],
    ['src/a.test.ts', ['tests']],
    ['SRC/A.SPEC.JS', ['tests']],
    ['src/FooTest.java', ['tests']],
    ['__tests__/x.js', ['tests']],
    ['latest.py', []],
    ['src/contest.go', []],
    ['LatestNews.java', []],
    ['conftest.py', ['test_config']],
    ['sub/ConfTest.PY', ['test_config']],
    ['pytest.ini', ['test_config']],
    ['pytest.py', ['test_config']],
    ['src/_pytest/main.py', ['test_config']],
    ['pluggy/__init__.py', ['test_config']],
    ['pytests/a.py', []],
    ['tox.ini', ['test_config']],
    ['setup.cfg', ['package_scripts', 'test_config']],
    ['pyproject.toml', ['package_scripts', 'test_config']],
    ['package.json', ['package_scripts', 'test_config']],
    ['jest.config.js', ['test_config']],
    ['.github/workflows/x.yml', ['ci']],
    ['.GitHub/Workflows/x.yml', ['ci']],
    ['.gitlab-ci.yml', ['ci']],
    ['Jenkinsfile', ['ci']],
    ['package-lock.json', ['lock_file']],
    ['poetry.lock', ['lock_file']],
    ['go.sum', ['lock_file']],
    ['requirements-dev.txt', ['package_scripts']],
    ['go.mod', ['package_scripts']],
    ['.gitattributes', ['git_files']],
    ['.gitmodules', ['git_files']],
    ['.husky/pre-commit', ['git_files']],
    ['.githooks/pre-push', ['git_files']],
    ['.claude/settings.json', ['agent_files']],
    ['.cursor/rules/x.mdc', ['agent_files']],
    ['.vscode/tasks.json', ['agent_files']],
    ['.mcp.json', ['agent_files']],
    ['AGENTS.md', ['agent_files']],
    ['docs/Claude.md', ['agent_files']],
    ['vivarium.yaml', ['agent_files']],
    ['Dockerfile', ['container_files']],
    ['deploy/app.Dockerfile', ['container_files']],
    ['compose.prod.yaml', ['container_files']],
    ['.devcontainer/devcontainer.json', ['container_files']],
    ['Makefile', ['container_files', 'test_config']],
    ['sitecustomize.py', ['startup_code']],
    ['lib/evil.pth', ['startup_code']],
    ['.envrc', ['startup_code']],
    ['.bashrc', ['startup_code']],
    ['\uff43onftest.py', ['test_config']],
    ['conf\u200btest.py', ['test_config']],
    ['conftest.py. ', ['test_config']],
    ['src/main.py', []],
    ['README.md', []],
    ['src/tester/parser.rs', []],
  ])('%s raises %j', (path, expected) => {
    expect(flagsOfPath(path).toSorted()).toEqual(expected);
  });

  test('each of the case: tests, conftest, workflow, test settings, lock file, start-up code', async () => {
    const flags = await flagsOf(
      {
        'tests/test_a.py': 'def test_a():\n    assert f() == 1\n',
        'setup.cfg': '[x]\n',
        'pytest.ini': '[pytest]\n',
        'poetry.lock': 'a\n',
      },
      [
        file('tests/test_a.py', 'def test_a():\n    pass\n'),
        file('conftest.py', 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n'),
        file('.github/workflows/x.yml', 'on: push\n'),
        file('setup.cfg', '[y]\n'),
        file('pytest.ini', '[pytest]\naddopts = --deselect tests/test_a.py\n'),
        file('poetry.lock', 'b\n'),
        file('sitecustomize.py', 'import os\n'),
      ],
    );
    const short = flags.map(({ kind, path, line }) => `${kind} ${path} ${line}`);
    expect(short).toEqual([
      'ci .github/workflows/x.yml null',
      'test_config conftest.py null',
      'test_config conftest.py 1',
      'test_config conftest.py 2',
      'lock_file poetry.lock null',
      'test_config pytest.ini null',
      'tests_skipped pytest.ini 2',
      'test_config pytest.ini 2',
      'test_config setup.cfg null',
      'package_scripts setup.cfg null',
      'startup_code sitecustomize.py null',
      'tests tests/test_a.py null',
      'assertions_removed tests/test_a.py 2',
    ]);
  });
});

describe('P09 what was done', () => {
  test('links, modes, binaries, deletions and large files', async () => {
    const many = Array.from({ length: 501 }, (_, at) => `${at}\n`).join('');
    const flags = await flagsOf({ gone: 'x\n', run: 'x\n', link: { link: 'a' } }, [
      deleted('gone'),
      file('run', 'x\n', true),
      symlink('link', '../../etc'),
      file('bin', Buffer.from([0, 1, 2])),
      file('many', many),
      file('long', 'x'.repeat(3000)),
      file('new-run', 'x\n', true),
    ]);
    expect(flags).toEqual([
      { kind: 'binary', path: 'bin', line: null, detail: '3 B of binary data' },
      { kind: 'deleted', path: 'gone', line: null, detail: 'deletes the file' },
      {
        kind: 'symlink',
        path: 'link',
        line: null,
        detail: 'leads to ../../etc, outside the repository',
      },
      { kind: 'large', path: 'long', line: 1, detail: 'a line of 3000 characters' },
      { kind: 'large', path: 'many', line: null, detail: '501 changed lines, 1.4 KiB' },
      { kind: 'executable', path: 'new-run', line: null, detail: 'new file' },
      { kind: 'executable', path: 'run', line: null, detail: 'was 100644' },
    ]);
  });

  test('removed assertions, but not moved ones', async () => {
    const before = 'assert a\nself.assertEqual(x, 1)\nexpect(y).toBe(2)\nx = 1\nEXPECT_EQ(1, 2);\n';
    const after = 'x = 1\n    assert a\nself.assertEqual(x, 2)\n';
    const flags = await flagsOf({ 'check.py': before }, [file('check.py', after)]);
    expect(
      flags.filter(({ kind }) => kind === 'assertions_removed').map(({ detail }) => detail),
    ).toEqual(['self.assertEqual(x, 1)', 'expect(y).toBe(2)', 'EXPECT_EQ(1, 2);']);
  });

  test.each([
    '@pytest.mark.skip',
    '@pytest.mark.xfail(reason="x")',
    '    @unittest.skipIf(True, "x")',
    "it.skip('x', () => {})",
    "describe.only('x', () => {})",
    "xit('x', () => {})",
    '\tt.Skip("later")',
    '@Disabled',
    '#[ignore]',
    'pytest.skip("x", allow_module_level=True)',
    'collect_ignore = ["x"]',
    '@\uff50ytest.mark.s\u200bkip',
  ])('a test that is skipped: %s', async (line) => {
    const flags = await flagsOf({}, [file('code.x', `${line}\n`)]);
    expect(flags.filter(({ kind }) => kind === 'tests_skipped')).toMatchObject([{ line: 1 }]);
  });

  test.each([
    ['eval("1")', 'runs text as code'],
    ['x = __import__("os")', 'runs text as code'],
    ['new Function("x")', 'runs text as code'],
    ['pickle.loads(b)', 'runs text as code'],
    ['os.system("x")', 'starts a process'],
    ['import subprocess', 'starts a process'],
    ["require('child_process')", 'starts a process'],
    ['exec.Command("sh")', 'starts a process'],
    ['s = socket.socket()', 'reaches the network'],
    ['import requests', 'reaches the network'],
    ["await fetch('http://x')", 'reaches the network'],
    ['curl -s http://x | sh', 'reaches the network'],
    ['\uff45val("1")', 'runs text as code'],
  ])('a risky call: %s', async (line, what) => {
    const flags = await flagsOf({}, [file('code.x', `fine\n${line}\n`)]);
    const risky = flags.filter(({ kind }) => kind === 'risky_calls');
    expect(risky).toMatchObject([{ line: 2, path: 'code.x' }]);
    expect(risky[0]?.detail).toContain(what);
  });

  test('harmless code and prose raise nothing', async () => {
    const code = [
      'import re',
      'pattern = re.compile("x")',
      'match = pattern.exec(text)',
      'function evaluate(x) { return model.eval(); }',
      'def execute(self): return self.retrieval(1)',
      'const total = items.filter((item) => item.total > 1);',
      'Ω = 1  # resistance in kΩ is fine as a unit? 5 µm, 3 × 4',
      'größe = 1',
      'система = 1',
    ];
    const flags = await flagsOf({}, [
      file('code.py', `${code.join('\n')}\n`),
      file('README.md', 'Run `curl http://x` and eval("x") with subprocess.\n'),
    ]);
    expect(flags).toEqual([]);
  });
});

describe('P10 what the eye does not see', () => {
  test('bidirectional, zero-width, control characters and escapes, with the line', async () => {
    const lines = [
      'plain',
      'if admin\u202e \u2066# check\u2069 \u2066:',
      'pass\u200bword = 1',
      'print("\u001b]52;c;x\u0007")',
      'crlf is fine\r',
      'lone\rreturn',
      'emoji is fine ❤️ 👩🏽‍💻',
      'tag \u{e0041}',
    ];
    const flags = await flagsOf({}, [file('a.py', `\ufeff${lines.join('\n')}\n`)]);
    expect(flags).toEqual([
      {
        kind: 'hidden_characters',
        path: 'a.py',
        line: 2,
        detail:
          'U+202E right-to-left override, U+2066 left-to-right isolate, U+2069 pop directional isolate: ' +
          'if admin\\u{202e} \\u{2066}# check\\u{2069} \\u{2066}:',
      },
      {
        kind: 'hidden_characters',
        path: 'a.py',
        line: 3,
        detail: 'U+200B zero width space: pass\\u{200b}word = 1',
      },
      {
        kind: 'hidden_characters',
        path: 'a.py',
        line: 4,
        detail: 'U+001B escape, U+0007 bell: print("\\x1b]52;c;x\\x07")',
      },
      {
        kind: 'hidden_characters',
        path: 'a.py',
        line: 6,
        detail: 'U+000D carriage return: lone\\rreturn',
      },
      {
        kind: 'hidden_characters',
        path: 'a.py',
        line: 8,
        detail: 'U+E0041 invisible character: tag \\u{e0041}',
      },
    ]);
  });

  test('look-alike letters in one word, and in names', async () => {
    const flags = await flagsOf({}, [
      file('p\u0430th.py', 'x\n'),
      file('b.py', 'def \u0430dmin(): pass\n\uff45xample = 1\n'),
      file('c\u202ed.py', 'x\n'),
    ]);
    expect(flags).toEqual([
      {
        kind: 'homoglyphs',
        path: 'b.py',
        line: 1,
        detail: '\u0430dmin (\u0430 = U+0430)',
      },
      {
        kind: 'homoglyphs',
        path: 'b.py',
        line: 2,
        detail: '\uff45xample (\uff45 = U+FF45)',
      },
      {
        kind: 'hidden_characters',
        path: 'c\u202ed.py',
        line: null,
        detail: 'in the name c\\u{202e}d.py',
      },
      {
        kind: 'homoglyphs',
        path: 'p\u0430th.py',
        line: null,
        detail: 'in the name: p\u0430th (\u0430 = U+0430)',
      },
    ]);
  });
});

test('many places of one kind are counted, not listed', async () => {
  const flags = await flagsOf({}, [file('a.py', 'eval(x)\n'.repeat(40))]);
  expect(flags).toHaveLength(6);
  expect(flags[5]).toEqual({
    kind: 'risky_calls',
    path: 'a.py',
    line: null,
    detail: 'and 35 more places',
  });
});

test('every kind of flag there is can be raised', async () => {
  const flags = await flagsOf({ gone: 'assert x\n' }, [
    deleted('gone'),
    file('tests/t.py', 'x\n', true),
    file('conftest.py', 'pytest.skip("x")\neval(x)\n'),
    file('.github/x', 'x\n'),
    file('a.lock', Buffer.from([0])),
    file('package.json', '{}\n'),
    file('.gitmodules', 'x\n'),
    file('.mcp.json', 'x\n'),
    file('Dockerfile', `${'x'.repeat(3000)}\n`),
    file('.envrc', 'p\u0430th\u202e\n'),
    symlink('link', 'gone'),
  ]);
  expect(kinds(flags)).toEqual(Object.keys(REVIEW_FLAGS).toSorted());
});

test('bytes that are no patch are refused', () => {
  expect(reviewFlags(new Uint8Array())).toEqual([]);
  for (const text of ['rubbish\n', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n']) {
    expect(() => reviewFlags(Buffer.from(text))).toThrow('not in the form');
  }
});
