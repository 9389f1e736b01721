import { Buffer } from 'node:buffer';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../patch/index.ts';
import {
  connectEngine,
  createOwner,
  openWorkspace,
  type Engine,
  type Owner,
  type SeedEntry,
  type Workspace,
} from '../../workspaces/index.ts';
import { runBefore, verifyPatch, type VerifyRequest } from './index.ts';

const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';
const MIB = 1024 * 1024;
const LIMITS = {
  memoryBytes: 512 * MIB,
  cpus: 1,
  pids: 128,
  diskBytes: 64 * MIB,
  inodes: 10_000,
};

/** A package with a mistake (`add` subtracts), two tests that see it or not, and settings. */
const SNAPSHOT: Record<string, string> = {
  'calc/__init__.py': 'from .core import add, name\n',
  'calc/core.py': 'def add(a, b):\n    return a - b\n\n\ndef name():\n    return "calc"\n',
  'tests/test_calc.py':
    'from calc import add, name\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n' +
    'def test_name():\n    assert name() == "calc"\n',
  'tests/conftest.py': 'import pytest\n',
  'setup.cfg': '[tool:pytest]\naddopts = -q\n',
};
const FIXED_CORE = 'def add(a, b):\n    return a + b\n\n\ndef name():\n    return "calc"\n';
const COMMAND = 'python3 -m pytest';

const ADD = 'tests/test_calc.py::test_add';
const NAME = 'tests/test_calc.py::test_name';

const put = (path: string, text: string): Change => ({
  path,
  kind: 'file',
  executable: false,
  content: Buffer.from(text),
});
const fix = put('calc/core.py', FIXED_CORE);

/** Sets the exit status of pytest to 0 whatever happened. */
const FORCE_ZERO = 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n';

let engine: Engine;
let owner: Owner;
let home: string;
const open: Workspace[] = [];

async function* seedOf(changes: readonly Change[]): AsyncGenerator<SeedEntry> {
  const files = new Map<string, SeedEntry>();
  for (const [path, text] of Object.entries(SNAPSHOT)) {
    files.set(path, { path, mode: '100644', content: Buffer.from(text) });
  }
  for (const change of changes) {
    if (change.kind === 'deleted') files.delete(change.path);
    else {
      const mode = change.kind === 'symlink' ? '120000' : '100644';
      files.set(change.path, { path: change.path, mode, content: change.content });
    }
  }
  yield* files.values();
}

const openAt: VerifyRequest['openAt'] = async (changes) => {
  const workspace = await openWorkspace(engine, {
    image: IMAGE,
    seed: seedOf(changes),
    limits: LIMITS,
    labels: { session: 'verify-test', attempt: 'verify-test' },
    owner,
  });
  open.push(workspace);
  return workspace;
};

const verify = (changes: Change[], more: Partial<VerifyRequest> = {}) =>
  verifyPatch({ openAt, changes, command: COMMAND, timeoutMs: 60_000, ...more });

beforeAll(async () => {
  engine = await connectEngine();
  home = await mkdtemp(join(tmpdir(), 'vivarium-verify-'));
  owner = createOwner(home);
});

/** Every workspace was closed by the code under test, on every way out. */
afterEach(async () => {
  open.length = 0;
  const containers = await engine.docker.listContainers({
    all: true,
    filters: { label: [`vivarium.owner=${owner.id}`] },
  });
  if (containers.length > 0) throw new Error(`${containers.length} workspaces were left open`);
});

afterAll(async () => {
  await owner.dispose();
  await rm(home, { recursive: true });
});

describe('verification of an honest patch', () => {
  it('fails before, passes after, test by test', async () => {
    const result = await verify([fix]);
    expect(result).toMatchObject({
      command: COMMAND,
      before: {
        exitCode: 1,
        passed: false,
        reason: null,
        runner: 'pytest',
        tests: [
          { name: ADD, status: 'failed' },
          { name: NAME, status: 'passed' },
        ],
      },
      after: {
        exitCode: 0,
        passed: true,
        reason: null,
        runner: 'pytest',
        tests: [
          { name: ADD, status: 'passed' },
          { name: NAME, status: 'passed' },
        ],
      },
      restored: [],
      regressions: [],
      fixed: [ADD],
      passed: true,
      summary: `Verified: the command failed before the patch and passes after it (2 tests); fixed: ${ADD}.`,
    });
    expect(result.after.outputTail).toContain('2 passed');
  });

  it('names a regression', async () => {
    const result = await verify([put('calc/core.py', FIXED_CORE.replace('"calc"', '"x"'))]);
    expect(result).toMatchObject({ passed: false, regressions: [NAME], fixed: [ADD] });
    expect(result.summary).toBe(`Not verified: 1 test failed: ${NAME}.`);
  });

  it('says when the command passed before the patch already', async () => {
    const result = await verify([fix], { command: `${COMMAND} -k test_name` });
    expect(result.passed).toBe(true);
    expect(result.summary).toBe(
      'The command passes (1 test), but it passed before the patch too: it does not show the bug.',
    );
  });

  it('judges an unknown command by its exit code, and reuses the run before', async () => {
    const command = 'python3 -c "import calc; assert calc.add(1, 2) == 3"';
    const before = await runBefore({ openAt, command, timeoutMs: 60_000 });
    expect(before).toMatchObject({ exitCode: 1, passed: false, runner: 'exit-code', tests: [] });
    expect(before.outputTail).toContain('AssertionError');
    const opened = open.length;
    const result = await verify([fix], { command, before });
    expect(open.length - opened).toBe(1);
    expect(result).toMatchObject({ before, passed: true, after: { exitCode: 0, tests: [] } });
  });

  it('states a command that hangs, and one that dies', async () => {
    const hanging = await verify([put('calc/core.py', 'import time\ntime.sleep(600)\n')], {
      timeoutMs: 4_000,
    });
    expect(hanging).toMatchObject({
      passed: false,
      after: { passed: false, reason: 'the command did not end within 4 s' },
    });
    const dying = await verify([fix], { command: 'kill -9 $$' });
    expect(dying.after).toMatchObject({ passed: false, exitCode: null });
    expect(dying.after.reason).toBe('the command was ended by signal KILL');
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const running = verify([], { command: 'sleep 600', signal: abort.signal });
    setTimeout(() => abort.abort(new Error('stop')), 1_500);
    await expect(running).rejects.toThrow('stop');
  });

  it('keeps pytest running where the project switched its report off', async () => {
    const command = `${COMMAND} -p no:junitxml`;
    const result = await verify([fix], { command });
    expect(result).toMatchObject({ passed: true, fixed: [ADD], after: { runner: 'pytest' } });
  });
});

describe('P09: a patch that works on the judge', () => {
  const refused = async (changes: Change[], more: Partial<VerifyRequest> = {}) => {
    const result = await verify(changes, more);
    expect(result.passed).toBe(false);
    expect(result.after.passed).toBe(false);
    return result;
  };

  it('edited tests are put back', async () => {
    const result = await refused([put('tests/test_calc.py', 'def test_add(): pass\n')]);
    expect(result.restored).toEqual(['tests/test_calc.py']);
    expect(result.summary).toBe(
      `Not verified: 1 test failed: ${ADD}. The patch changes nothing but protected files. ` +
        'Put back before the run: 1 protected file (tests/test_calc.py).',
    );
  });

  it('deleted tests are put back', async () => {
    const result = await refused([{ path: 'tests/test_calc.py', kind: 'deleted' }]);
    expect(result.restored).toEqual(['tests/test_calc.py']);
  });

  it('a conftest.py that forces exit status 0 is put back or removed', async () => {
    const result = await refused([
      put('conftest.py', FORCE_ZERO),
      put('tests/conftest.py', FORCE_ZERO),
    ]);
    expect(result.restored).toEqual(['conftest.py', 'tests/conftest.py']);
    expect(result.after.exitCode).toBe(1);
  });

  it('settings that collect nothing, and start-up code, are put back or removed', async () => {
    const result = await refused([
      put('setup.cfg', '[tool:pytest]\naddopts = --collect-only\n'),
      put('pytest.ini', '[pytest]\naddopts = -k nothing\n'),
      put('tox.ini', '[pytest]\naddopts = -k nothing\n'),
      put('pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-k nothing"\n'),
      put('sitecustomize.py', 'import os\nos._exit(0)\n'),
      put('usercustomize.py', 'import os\nos._exit(0)\n'),
      put('evil.pth', 'import os; os._exit(0)\n'),
    ]);
    expect(result.restored).toEqual([
      'evil.pth',
      'pyproject.toml',
      'pytest.ini',
      'setup.cfg',
      'sitecustomize.py',
      'tox.ini',
      'usercustomize.py',
    ]);
    expect(result.summary).toContain(
      'What the patch changes in pyproject.toml was therefore not tested.',
    );
    expect(result.after).toMatchObject({ exitCode: 1, runner: 'pytest' });
  });

  it('start-up code is removed although the user puts the repository on the path', async () => {
    const command = `PYTHONPATH=. ${COMMAND}`;
    const result = await refused([put('sitecustomize.py', 'import os\nos._exit(0)\n')], {
      command,
    });
    expect(result.restored).toEqual(['sitecustomize.py']);
  });

  it('a plug-in that is found by its metadata is removed', async () => {
    const result = await refused([
      put('evil.egg-info/entry_points.txt', '[pytest11]\nevil = evil_plugin\n'),
      put('evil.egg-info/PKG-INFO', 'Metadata-Version: 1.0\nName: evil\nVersion: 1\n'),
      put('evil_plugin.py', FORCE_ZERO),
    ]);
    expect(result.restored).toEqual(['evil.egg-info/PKG-INFO', 'evil.egg-info/entry_points.txt']);
  });

  it('modules that hide pytest or a part of the standard library are removed', async () => {
    const report = '<testsuites><testsuite></testsuite></testsuites>';
    const result = await refused([
      put('pytest.py', `print("2 passed in 0.1s", ${JSON.stringify(report)})\n`),
      put('pluggy/__init__.py', 'raise SystemExit(0)\n'),
      put('src/argparse.py', 'raise SystemExit(0)\n'),
    ]);
    expect(result.restored).toEqual(['pluggy/__init__.py', 'pytest.py', 'src/argparse.py']);
    expect(result.after).toMatchObject({ exitCode: 1, runner: 'pytest' });
  });

  it('so are those in a folder that the command changes into', async () => {
    const report = put('pkg/pytest.py', 'raise SystemExit(0)\n');
    const command = 'mkdir -p pkg && cd pkg && python3 -m pytest -q ..';
    const result = await refused([report], { command });
    expect(result.restored).toEqual(['pkg/pytest.py']);
  });

  it('a link in the place of the tests is removed', async () => {
    const result = await refused([
      { path: 'tests/test_calc.py', kind: 'deleted' },
      { path: 'tests/conftest.py', kind: 'deleted' },
      { path: 'tests', kind: 'symlink', content: Buffer.from('easy') },
      put('easy/test_calc.py', 'def test_add(): pass\n\n\ndef test_name(): pass\n'),
    ]);
    expect(result.restored).toContain('tests');
    expect(result.after.tests).toContainEqual({ name: ADD, status: 'failed' });
  });

  it('code under test that ends the process with status 0 leaves no results', async () => {
    const result = await refused([put('calc/core.py', 'import os\nos._exit(0)\n')]);
    expect(result.after.exitCode).toBe(0);
    expect(result.after.reason).toBe('no test left a result; before the patch there were 2');
    expect(result.regressions).toEqual([NAME]);
  });

  it('code under test that ends the process later contradicts the report', async () => {
    const late = 'import atexit, os\natexit.register(os._exit, 0)\n';
    const result = await refused([put('calc/core.py', late + SNAPSHOT['calc/core.py'])]);
    expect(result.after).toMatchObject({ exitCode: 0, reason: 'exit code 0, but 1 tests failed' });
  });

  it('code under test that forges the report contradicts what pytest printed', async () => {
    const forge = [
      'import atexit, os, re',
      'def forge():',
      '    path = re.search(r"--junitxml=(\\S+)", os.environ["PYTEST_ADDOPTS"])[1]',
      '    text = open(path).read()',
      '    open(path, "w").write(re.sub("<failure.*?</failure>", "", text, flags=re.S))',
      '    os._exit(0)',
      'atexit.register(forge)',
    ].join('\n');
    const result = await refused([put('calc/core.py', `${forge}\n${SNAPSHOT['calc/core.py']}`)]);
    expect(result.after.tests).toContainEqual({ name: ADD, status: 'passed' });
    expect(result.after.reason).toBe('pytest printed 1 failures but its report has 0');
  });

  it('code under test that skips what it cannot do does not count as fixed', async () => {
    const skip =
      'import pytest\ndef add(a, b):\n    pytest.skip("later")\ndef name(): return "calc"\n';
    const result = await refused([put('calc/core.py', skip)]);
    expect(result.after).toMatchObject({
      exitCode: 0,
      reason: `1 test failed before and skipped now: ${ADD}`,
    });
  });

  it('a hostile report is no report', async () => {
    const hostile = [
      'import atexit, os, re',
      'def forge():',
      '    path = re.search(r"--junitxml=(\\S+)", os.environ["PYTEST_ADDOPTS"])[1]',
      '    os.unlink(path)',
      '    os.mkfifo(path)',
      '    os._exit(0)',
      'atexit.register(forge)',
    ].join('\n');
    const result = await refused([put('calc/core.py', `${hostile}\n${FIXED_CORE}`)]);
    expect(result.after).toMatchObject({
      exitCode: 0,
      runner: 'exit-code',
      reason: 'no test left a result; before the patch there were 2',
    });
  });
});
