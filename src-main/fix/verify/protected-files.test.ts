import { describe, expect, it } from 'vitest';
import type { Change } from '../../patch/index.ts';
import { protectChanges } from './protected-files.ts';

const file = (path: string): Change => ({
  path,
  kind: 'file',
  executable: false,
  content: new Uint8Array(),
});
const gone = (path: string): Change => ({ path, kind: 'deleted' });
const link = (path: string): Change => ({ path, kind: 'symlink', content: new Uint8Array() });

const split = (changes: Change[], protect: string[] = [], command = 'pytest') =>
  protectChanges(changes, { command, protect });

describe('protected files', () => {
  it('P09: puts tests and test settings back, whether edited, new or deleted', () => {
    const restored = [
      'tests/test_a.py',
      'pkg/test/data.json',
      'test_root.py',
      'pkg/core_test.go',
      'web/a.test.ts',
      'web/b.spec.js',
      'web/__tests__/c.js',
      'conftest.py',
      'a/b/conftest.py',
      'pytest.ini',
      '.pytest.toml',
      'setup.cfg',
      'tox.ini',
      'noxfile.py',
      '.coveragerc',
      'jest.config.ts',
      'vitest.config.mts',
      '.mocharc.yml',
      'sitecustomize.py',
      'src/usercustomize.py',
      'usercustomize/__init__.py',
      'lib/x.pth',
      'Makefile',
      'makefile',
      'CMakeLists.txt',
      'build.gradle',
      '.cargo/config.toml',
      '.npmrc',
      'pkg/__pycache__/conftest.cpython-311-pytest-7.2.1.pyc',
      'evil.egg-info/entry_points.txt',
      'node_modules/chai/index.js',
      'src/main/java/AppTest.java',
      'CONFTEST.PY',
      'Tests/x.py',
      'unit_tests/helpers.py',
      'shop-tests/data.json',
      'specs/a.js',
      '.env',
      'sub/.env.test',
    ];
    const both = restored.flatMap((path) => [
      { path, ...split([file(path)]) },
      { path, ...split([gone(path)]) },
    ]);
    expect(both).toEqual(
      restored
        .flatMap((path) => [path, path])
        .map((path) => ({ path, kept: [], restored: [path], manifests: [], named: [] })),
    );
  });

  it('keeps the code under test, also where its name only resembles a test', () => {
    const kept = [
      'src/app.py',
      'pkg/testing/fixtures.py',
      'pkg/contest.py',
      'pkg/attest.py',
      'src/main/java/Latest.java',
      'src/spec/parser.py',
      'docs/protests.md',
      '.github/workflows/x.yml',
      'package-lock.json',
      'src/latest_report.py',
    ];
    expect(split(kept.map(file)).restored).toEqual([]);
    expect(split(kept.map(file)).kept.map(({ path }) => path)).toEqual(kept);
  });

  it('names the manifests whose other settings were put back as well', () => {
    const changes = [file('pyproject.toml'), file('web/package.json'), file('setup.cfg')];
    expect(split(changes)).toEqual({
      kept: [],
      restored: ['pyproject.toml', 'setup.cfg', 'web/package.json'],
      manifests: ['pyproject.toml', 'web/package.json'],
      named: [],
    });
  });

  it('adds globs of the user, with and without a folder', () => {
    const changes = [file('golden/a.txt'), file('x/deep.golden'), file('src/a.py')];
    expect(split(changes, ['golden/**', '*.golden']).restored).toEqual([
      'golden/a.txt',
      'x/deep.golden',
    ]);
  });

  it('protects a shell script that the command names', () => {
    const changes = [file('ci/check.sh'), file('ci/other.sh')];
    expect(split(changes, [], './ci/check.sh --all').restored).toEqual(['ci/check.sh']);
    expect(split(changes, [], 'cd ci && sh other.sh').restored).toEqual(['ci/other.sh']);
  });

  it('protects a program and a script that the command names as its judge, in any language', () => {
    const judges = ['bin/judge', 'tools/verify.mjs', 'check.py', 'manage.py'];
    const command =
      './bin/judge --all && cd tools; node verify.mjs; cd ..; python3 check.py\nX=1 python3 manage.py go';
    expect(split(judges.map(file), [], command).restored).toEqual(judges.toSorted());
    expect(split(judges.map(file)).restored).toEqual([]);
  });

  it('says which code under test the command itself names', () => {
    const changes = [file('total.py'), file('other.py')];
    expect(split(changes, [], 'python3 total.py --self-check')).toEqual({
      kept: changes,
      restored: [],
      manifests: [],
      named: ['total.py'],
    });
  });

  it('drops a link that stands where restored files have to go', () => {
    const changes = [
      gone('pkg/checks/tests/test_a.py'),
      gone('pkg/checks/tests/deep/test_b.py'),
      link('pkg/checks'),
      link('other'),
    ];
    expect(split(changes)).toEqual({
      kept: [link('other')],
      restored: ['pkg/checks', 'pkg/checks/tests/deep/test_b.py', 'pkg/checks/tests/test_a.py'],
      manifests: [],
      named: [],
    });
  });
});
