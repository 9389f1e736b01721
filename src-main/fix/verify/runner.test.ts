import { describe, expect, it } from 'vitest';
import { findTests, planRun } from './runner.ts';

describe('plan of a run', () => {
  it.each([
    ['pytest -q', 'pytest'],
    ['PYTHONPATH=src python3 -m pytest tests/a.py', 'pytest'],
    ['cd x && .venv/bin/pytest', 'pytest'],
    ['py.test', 'pytest'],
    ['go test ./...', 'go'],
    ['cd m && /usr/local/go/bin/go test', 'go'],
    ['node --test', 'node'],
    ['node --import tsx --test "src/**"', 'node'],
    ['python3 -m unittest', null],
    ['cat pytest.ini', null],
    ['node server.js --test-mode', null],
    ['cargo test', null],
    ['mango test', null],
  ])('%s is %s', (command, named) => {
    expect(planRun(command).named).toBe(named);
  });

  it('only sets variables, and leaves the command as it is', () => {
    const plan = planRun('pytest -q');
    const lines = plan.script.split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^export PYTEST_ADDOPTS="\$\{PYTEST_ADDOPTS:\+\$PYTEST_ADDOPTS \}--junitxml=\/tmp\/vivarium-report-[\w-]+\.xml -o junit_family=xunit1"$/,
    );
    expect(lines[1]).toBe('pytest -q');
    expect(plan.reports).toHaveLength(1);
  });

  it('reads the report that the command names', () => {
    expect(planRun('pytest --junitxml=out/r.xml')).toEqual({
      script: 'pytest --junitxml=out/r.xml',
      named: 'pytest',
      reports: ['out/r.xml'],
    });
    expect(planRun('gotestsum --junitfile "a b.xml"').reports).toEqual(['a b.xml']);
    expect(planRun('JEST_JUNIT_OUTPUT_FILE=j.xml jest').reports).toEqual(['j.xml']);
  });

  it('does not let a second pytest overwrite the report of the first', () => {
    const plan = planRun('pytest a && pytest b');
    expect(plan.reports).toEqual([]);
    expect(plan.script).toContain('-v -rA"');
  });
});

describe('findings', () => {
  const report = (cases: string) =>
    new TextEncoder().encode(`<testsuites><testsuite>${cases}</testsuite></testsuites>`);
  const plan = planRun('make test');

  it('come from the report of pytest, whoever starts it', () => {
    expect(
      findTests(plan, report('<testcase classname="a" name="b"/>'), '1 passed in 0.1s'),
    ).toEqual({
      runner: 'pytest',
      tests: [{ name: 'a::b', status: 'passed' }],
      contradiction: null,
    });
  });

  it('P09: say when report and output contradict each other', () => {
    const forged = findTests(plan, report('<testcase name="b"/>'), '1 failed in 0.1s');
    expect(forged.contradiction).toBe('pytest printed 1 failures but its report has 0');
    const printed = findTests(
      plan,
      report('<testcase name="b"><failure/></testcase>'),
      '1 passed in 0.1s',
    );
    expect(printed.contradiction).toBe('pytest printed 0 failures but its report has 1');
  });

  it('fall back to the output, and to the exit code', () => {
    const output = 'ok 1 - a\n';
    expect(findTests(plan, undefined, `TAP version 13\n${output}`)).toMatchObject({
      runner: 'node',
    });
    expect(findTests(plan, undefined, 'all fine')).toEqual({
      runner: 'exit-code',
      tests: [],
      contradiction: null,
    });
  });
});
