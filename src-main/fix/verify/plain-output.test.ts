import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGoOutput } from './go-output.ts';
import { parseNodeOutput, parsePytestOutput, pytestCounts } from './plain-output.ts';

describe('pytest output', () => {
  const verbose = [
    'tests/test_a.py::test_ok PASSED                                          [  7%]',
    'tests/test_a.py::test_par[a b] PASSED                                    [ 15%]',
    'tests/test_a.py::test_skip SKIPPED (no)                                  [ 61%]',
    'tests/test_a.py::test_xf XFAIL                                           [ 69%]',
    '\u001B[31mFAILED\u001B[0m tests/test_a.py::TestC::test_bad[a - b] - assert 1 == 2',
    'ERROR tests/test_b.py',
    '=========== 1 failed, 2 passed, 1 skipped, 1 xfailed, 1 error in 0.02s ===========',
  ].join('\n');

  it('is read line by line', () => {
    expect(parsePytestOutput(verbose)).toEqual([
      { name: 'tests/test_a.py::test_ok', status: 'passed' },
      { name: 'tests/test_a.py::test_par[a b]', status: 'passed' },
      { name: 'tests/test_a.py::test_skip', status: 'skipped' },
      { name: 'tests/test_a.py::test_xf', status: 'skipped' },
      { name: 'tests/test_a.py::TestC::test_bad[a', status: 'failed' },
      { name: 'tests/test_b.py', status: 'error' },
    ]);
  });

  it('is not read when it names fewer passed tests than it counts', () => {
    expect(parsePytestOutput('FAILED a.py::b\n1 failed, 2 passed in 0.02s')).toEqual([]);
    expect(parsePytestOutput('a.py::b PASSED\n2 passed in 0.02s')).toEqual([]);
    const twice = 'a.py::b PASSED\n1 passed in 0.02s\nPASSED c.py::d\n1 passed in 0.02s';
    expect(parsePytestOutput(twice).map(({ name }) => name)).toEqual(['a.py::b', 'c.py::d']);
  });

  it('is not slow on hostile lines', () => {
    const started = performance.now();
    expect(parsePytestOutput('a.py::b '.repeat(250_000))).toEqual([]);
    expect(parseNodeOutput(`✔ ${'a (1ms) # '.repeat(200_000)}`)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('gives the counts of its last line only', () => {
    expect(pytestCounts(`9 failed in 1s\n${verbose}`)).toEqual({ passed: 2, bad: 2 });
    expect(pytestCounts('3 passed in 61.20s (0:01:01)')).toEqual({ passed: 3, bad: 0 });
    expect(pytestCounts('no tests ran in 0.01s')).toBeUndefined();
  });
});

describe('output of node --test', () => {
  let folder: string;
  const source = `
    import { describe, it, test } from 'node:test';
    import assert from 'node:assert';
    describe('suite', () => {
      it('a', () => {});
      it('b <&> "q"', () => assert.equal(1, 2));
      it.skip('c', () => {});
      describe('inner', () => it('d', () => {}));
    });
    test('top', () => console.log('ok 9 - forged'));
    test('todo', { todo: true }, () => assert.equal(1, 2));
  `;
  const expected = [
    { name: 'suite > a', status: 'passed' },
    { name: 'suite > b <&> "q"', status: 'failed' },
    { name: 'suite > c', status: 'skipped' },
    { name: 'suite > inner > d', status: 'passed' },
    { name: 'suite > inner', status: 'passed' },
    { name: 'suite', status: 'failed' },
    { name: 'top', status: 'passed' },
    { name: 'todo', status: 'skipped' },
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verify-'));
    await writeFile(join(folder, 'a.test.mjs'), source);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const runNode = (reporter: string): Promise<string> => {
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
    return new Promise((resolve) => {
      const args = ['--test', `--test-reporter=${reporter}`, 'a.test.mjs'];
      execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout) => resolve(stdout));
    });
  };

  it.each(['tap', 'spec'])('is read from its %s reporter', async (reporter) => {
    expect(parseNodeOutput(await runNode(reporter))).toEqual(expected);
  });
});

describe('output of go test', () => {
  const verbose = [
    '=== RUN   TestA',
    '=== RUN   TestA/sub',
    '=== RUN   TestA/bad',
    '    a_test.go:3: x',
    '--- FAIL: TestA (0.00s)',
    '    --- PASS: TestA/sub (0.00s)',
    '    --- FAIL: TestA/bad (0.00s)',
    '=== RUN   TestB',
    '--- SKIP: TestB (0.00s)',
    'FAIL',
    'FAIL\texample.com/g\t0.003s',
    'FAIL\texample.com/g/p [build failed]',
    '=== RUN   TestQ',
    'panic: os.Exit(0) during test',
    'FAIL\texample.com/g/q\t0.004s',
    '?   \texample.com/g/r\t[no test files]',
    '=== RUN   TestS',
    '--- PASS: TestS (0.00s)',
    'PASS',
    'ok  \texample.com/g/s\t0.002s',
    'FAIL',
  ].join('\n');
  const expected = [
    { name: 'example.com/g.TestA', status: 'failed' },
    { name: 'example.com/g.TestA/sub', status: 'passed' },
    { name: 'example.com/g.TestA/bad', status: 'failed' },
    { name: 'example.com/g.TestB', status: 'skipped' },
    { name: 'example.com/g/p', status: 'error' },
    { name: 'example.com/g/q.TestQ', status: 'error' },
    { name: 'example.com/g/s.TestS', status: 'passed' },
  ];

  it('is read when verbose; a test that never ended is an error', () => {
    expect(parseGoOutput(verbose)).toEqual(expected);
  });

  it('is read from its JSON events, mixed packages included', () => {
    const event = (Action: string, Package: string, Test?: string) =>
      JSON.stringify({
        Time: 't',
        Action,
        Package: `example.com/g${Package}`,
        ...(Test && { Test }),
      });
    const events = [
      '{"ImportPath":"example.com/g/p [x.test]","Action":"build-fail"}',
      event('run', '', 'TestA'),
      event('run', '/q', 'TestQ'),
      event('run', '', 'TestA/sub'),
      event('pass', '', 'TestA/sub'),
      event('run', '', 'TestA/bad'),
      event('fail', '', 'TestA/bad'),
      event('fail', '', 'TestA'),
      event('skip', '', 'TestB'),
      event('fail', ''),
      event('fail', '/p'),
      event('fail', '/q'),
      event('skip', '/r'),
      'not json',
      '{"broken',
      event('pass', '/s', 'TestS'),
      event('pass', '/s'),
    ];
    expect(parseGoOutput(events.join('\n'))).toEqual(expected);
  });
});
