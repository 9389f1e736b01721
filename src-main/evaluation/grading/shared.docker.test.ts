import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openBench,
  processesHave,
  TEST_IMAGE,
  type Bench,
} from '../../../test/support/workspaces.ts';
import { seedEntries, type Snapshot } from '../../patch/index.ts';
import { listOwned, type Workspace } from '../../workspaces/index.ts';
import type { TaskVerifier } from '../tasks/types.ts';
import { gradeIn } from './grade.ts';
import { snapshotOf, testTask } from './testing.ts';
import type { Graded } from './types.ts';
import { attemptWorkspace } from './workspace-options.ts';

/** As Terminal-Bench does it: the tests look at what the agent left of the whole container. */
const TEST_SH = `#!/bin/bash
python3 -m pytest -q -p no:cacheprovider --junitxml=/logs/verifier/junit.xml /tests/test_outputs.py
if [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`;
const OUTPUTS = `from pathlib import Path

def test_config():
    assert Path('/etc/demo.conf').read_text() == 'on\\n'

def test_app():
    assert Path('/app/out.txt').read_text() == 'done\\n'
`;
const TESTS = { 'test.sh': TEST_SH, 'test_outputs.py': OUTPUTS };
const SOLVE = 'echo on > /etc/demo.conf; echo done > out.txt';

let bench: Bench;
let snapshot: Snapshot;
beforeAll(async () => {
  bench = await openBench();
  snapshot = await snapshotOf(bench, { 'README.md': 'x\n' }, 'shared');
});
afterAll(() => bench.dispose());

/** Runs what an agent does, then grades in the same workspace. */
async function judge(
  commands: readonly string[],
  { tests = TESTS, verifier = {}, check = async () => undefined }: Options = {},
): Promise<Graded> {
  const more = { workdir: '/app', tree: { kind: 'image' } as const };
  const { task, dispose } = testTask(tests, { on: 'workspace', ...verifier }, more);
  const { root = '', ...options } = attemptWorkspace(task);
  const seed = seedEntries(snapshot);
  const workspace = await bench.open({ ...options, root, image: TEST_IMAGE, seed });
  try {
    for (const command of commands) await workspace.run({ command, timeoutMs: 20_000 });
    const graded = await gradeIn(workspace, task, { signal: new AbortController().signal });
    await check(workspace);
    return graded;
  } finally {
    dispose();
    await workspace.close();
    const owned = await listOwned(bench.engine, bench.home);
    expect(owned).toEqual({ containers: [], volumes: [] });
  }
}

interface Options {
  tests?: Record<string, string>;
  verifier?: Partial<TaskVerifier>;
  check?: (workspace: Workspace) => Promise<undefined>;
}

const facts = (graded: Graded): { planted: string[] } =>
  JSON.parse(Buffer.from(graded.blobs[0] ?? []).toString()) as { planted: string[] };

describe('a workspace that is judged as a whole', () => {
  test('the state that an agent left counts, /etc included; without it the tests fail', async () => {
    const solved = await judge([SOLVE]);
    expect(solved.grading).toMatchObject({ state: 'graded', resolved: true, reward: 1 });
    expect(facts(solved).planted).toEqual([]);
    expect(Object.keys(solved.grading.evidence)).toContain('verifier/junit.xml');
    const idle = await judge([]);
    expect(idle.grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
  });

  test('rewards, tests and settings that lie ready are removed, and named', async () => {
    const plant = [
      'mkdir -p /logs/verifier /tests/sub',
      'echo 1 > /logs/verifier/reward.txt; echo \'{"reward": 1}\' > /logs/verifier/reward.json',
      'printf "def pytest_sessionfinish(session): session.exitstatus = 0\\n" > /tests/conftest.py',
      'ln -s /etc/passwd /tests/test.sh; chmod 000 /tests/sub',
      'echo "exit 0" > ~/.bashrc; echo "exit 0" > ~/.profile; echo "exit 0" > ~/.bash_profile',
    ].join('; ');
    const graded = await judge([plant]);
    expect(graded.grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
    expect(facts(graded).planted).toEqual([
      '/logs/verifier',
      '/logs/verifier/reward.json',
      '/logs/verifier/reward.txt',
      '/tests/conftest.py',
      '/tests/sub',
      '/tests/test.sh',
    ]);
  });

  test('what the agent left running ends before the tests come', async () => {
    const forge =
      'while :; do mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; echo x > /tests/spy; done';
    const spawn = `setsid env -i sh -c '${forge}' >/dev/null 2>&1 & disown`;
    const graded = await judge([spawn], {
      check: async (workspace) => {
        const left = await workspace.run({
          command: `ls /tests; ${processesHave('echo x ')}`,
          shell: 'sh',
          timeoutMs: 10_000,
        });
        expect(Buffer.from(left.stdout.head).toString()).toMatch(/^(?![^]*spy)[^]*\n0\n$/);
        return undefined;
      },
    });
    expect(graded.grading).toMatchObject({ state: 'graded', resolved: false, reward: 0 });
  });

  test('a service that the agent was asked to start is gone: its files count, not its processes', async () => {
    const tests = {
      'test.sh': `#!/bin/sh\n${processesHave('sleep 777')} > /logs/verifier/reward.txt\n`,
    };
    const { grading } = await judge(['setsid sleep 777 >/dev/null 2>&1 &'], { tests });
    expect(grading).toMatchObject({ state: 'graded', reward: 0 });
  });

  test('B10 a workspace that is gone is no verdict', async () => {
    const more = { workdir: '/app', tree: { kind: 'image' } as const };
    const { task, dispose } = testTask(TESTS, { on: 'workspace' }, more);
    const { root = '', ...options } = attemptWorkspace(task);
    const workspace = await bench.open({ ...options, root, seed: seedEntries(snapshot) });
    const [container] = (await listOwned(bench.engine, bench.home)).containers;
    await bench.engine.docker.getContainer(container?.id ?? '').remove({ force: true });
    await workspace.lost;
    const { grading, blobs } = await gradeIn(workspace, task, {
      signal: new AbortController().signal,
    });
    expect(grading).toMatchObject({ state: 'infra', infra: { reason: 'workspace_lost' } });
    expect(blobs).toEqual([]);
    dispose();
    await workspace.close();
  });
});
