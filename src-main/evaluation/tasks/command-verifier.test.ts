import { expect, test } from 'vitest';
import { keepAsInSnapshot } from '../../fix/index.ts';
import { judgeGlobs } from './command-verifier.ts';

const restored = (paths: readonly string[], tree: readonly string[] = ['shop.py']) =>
  keepAsInSnapshot(
    paths.map((path) => ({ path, kind: 'deleted' as const })),
    judgeGlobs('python3 -m pytest', tree),
  ).restored;

test('what steers pytest, or takes its place, is as the tree has it', () => {
  const judge = [
    ...['_pytest/__init__.py', 'a/conftest.py', 'pluggy.py', 'pytest.ini', 'pytest.py'],
    ...['pytest/__main__.py', 'sitecustomize.py', 'src/pytest.py', 'src/pytest/__init__.py'],
    ...['x.pth'],
  ];
  const code = ['extra/pytest.py', 'pyproject.toml', 'random.py', 'shop.py', 'src/mypytest/a.py'];
  expect(restored([...code, ...judge])).toEqual(judge);
});

test('a tree that brings such a module itself is its code', () => {
  const paths = ['pluggy.py', 'pytest.py', 'src/_pytest/a.py', 'src/pytest/__init__.py'];
  expect(restored(paths, ['src/_pytest/a.py', 'src/pytest/__init__.py'])).toEqual(['pluggy.py']);
  const all = ['pytest.py', '_pytest/a.py', 'src/pluggy/a.py', 'iniconfig.py'];
  expect(restored(['pytest.py', 'pluggy.py', 'a/conftest.py'], all)).toEqual(['a/conftest.py']);
});
