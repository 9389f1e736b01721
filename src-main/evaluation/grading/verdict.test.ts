import { describe, expect, test } from 'vitest';
import type { ExpectedTests, ResultReader } from '../tasks/types.ts';
import type { Evidence } from './types.ts';
import { emptyPatchGrading, infraGrading, verdictOf, type Judged } from './verdict.ts';

function evidence(more: Partial<Evidence> & { text?: string } = {}): Evidence {
  const { text = '', ...rest } = more;
  return {
    ...{ applied: true, exitCode: 0, timedOut: false, outOfMemory: false, seconds: 2 },
    ...{ log: Buffer.from(text), logCutBytes: 0, files: {}, planted: [], restored: [] },
    ...rest,
  };
}

function judged(reader: ResultReader, expected: ExpectedTests | null = null): Judged {
  const verifier = { on: 'patch', timeoutMs: 1, env: {}, protect: [], reader } as const;
  return { name: 'demo', verifier, expected, metadata: {} };
}

const SWE: ResultReader = { kind: 'swe-bench', parser: 'parse_log_pytest', failOnly: false };
const LISTS = { failToPass: ['t::fixed'], passToPass: ['t::kept'] };

function log(inside: string, code = 0): string {
  return [
    '+ : ">>>>> Start Test Output"',
    inside,
    '+ : ">>>>> End Test Output"',
    `>>>>> Test Exit Code: ${code}`,
    '',
  ].join('\n');
}

describe('a log of SWE-bench', () => {
  const grade = (text: string, lists: ExpectedTests = LISTS, reader = SWE) =>
    verdictOf(judged(reader, lists), evidence({ text }));

  test('resolves when all expected tests pass', () => {
    expect(grade(log('PASSED t::fixed\nPASSED t::kept\nFAILED t::other', 1))).toEqual({
      state: 'graded',
      infra: null,
      resolved: true,
      reward: 1,
      rewards: {},
      applied: true,
      failToPass: { expected: 1, met: 1, unmet: [] },
      passToPass: { expected: 1, met: 1, unmet: [] },
      tests: { PASSED: 2, FAILED: 1 },
      exitCode: 0,
      seconds: 2,
      readBy: 'parse_log_pytest',
      evidence: {},
      summary: 'Resolved: 1 of 1 expected tests pass; 1 of 1 others still do.',
    });
  });

  test.each([
    ['XFAIL', 'PASSED', true],
    ['PASSED', 'SKIPPED', true],
    ['PASSED', 'XFAIL', true],
    ['SKIPPED', 'PASSED', false],
    ['FAILED', 'PASSED', false],
    ['ERROR', 'PASSED', false],
    ['PASSED', 'FAILED', false],
    ['PASSED', 'ERROR', false],
  ])('with %s to be fixed and %s to be kept it resolves: %s', (fixed, kept, resolved) => {
    const text = log(`${fixed} t::fixed x\n${kept} t::kept x\nFAILED t::more`, 1);
    expect(grade(text)).toMatchObject({ state: 'graded', resolved, reward: Number(resolved) });
  });

  test('a missing test is a failure and is named, an error is no failure of another kind', () => {
    const found = grade(log('ERROR t::kept\nFAILED t::more', 1));
    expect(found.failToPass?.unmet).toEqual([{ name: 't::fixed', status: 'MISSING' }]);
    expect(found.passToPass?.unmet).toEqual([{ name: 't::kept', status: 'ERROR' }]);
    expect(found.summary).toBe(
      'Not resolved: 0 of 1 expected tests pass (t::fixed missing); 0 of 1 others still do (t::kept error).',
    );
  });

  test('names that were cut inside brackets count by prefix, where the candidates agree', () => {
    const lists = { failToPass: ['t[log(photon'], passToPass: [] };
    const of = (text: string) => grade(log(text, 1), lists).resolved;
    expect(of('PASSED t[log(photon_a]\nPASSED t[log(photon_b]\nFAILED u')).toBe(true);
    expect(of('PASSED t[log(photon_a]\nXFAIL t[log(photon_b]\nFAILED u')).toBe(true);
    expect(of('PASSED t[log(photon_a]\nFAILED t[log(photon_b]')).toBe(false);
    expect(of('PASSED t[log(photon_a]\nPASSED t[log(photon\nFAILED u')).toBe(true);
    expect(
      grade(log('PASSED t::fixed_more'), { failToPass: ['t::fixed'], passToPass: [] }),
    ).toMatchObject({
      resolved: false,
    });
  });

  test('only what is named as failed fails, where a suite names nothing else', () => {
    const failOnly: ResultReader = {
      kind: 'swe-bench',
      parser: 'parse_log_marked',
      failOnly: true,
    };
    const lists = { failToPass: ['a'], passToPass: ['b'] };
    expect(grade(log('10 specs, 1 failure\n1) c', 1), lists, failOnly).resolved).toBe(true);
    expect(grade(log('10 specs, 0 failures'), lists, failOnly).resolved).toBe(true);
    expect(grade(log('10 specs, 1 failure\n1) b', 1), lists, failOnly).resolved).toBe(false);
    expect(grade(log('0 specs, 0 failures'), lists, failOnly)).toMatchObject({ state: 'infra' });
  });

  test.each([
    ['the exit code contradicts it', log('PASSED t::fixed\nPASSED t::kept', 1), 'no_reward'],
    ['nothing shows that tests ran', log('Traceback'), 'no_reward'],
    ['a module is missing', log('E  ModuleNotFoundError: x', 1), 'missing_module'],
    ['no test was found', log('collected 0 items', 5), 'no_tests_collected'],
    ['there are no markers', 'PASSED t::fixed\nPASSED t::kept', 'no_reward'],
    ['the browser did not start', log('Error: Failed to launch chrome'), 'browser_launch_failed'],
    ['there is no display', log('Gtk: cannot open display: :0'), 'display_unavailable'],
    ['memory ran out', log('x\nKilled\n'), 'out_of_memory'],
    ['there is no network', log('curl: (6) Could not resolve host: a'), 'network_unreachable'],
    ['the daemon is gone', 'Cannot connect to the Docker daemon', 'container_unavailable'],
    ['its own harness timed out', `${log('')}>>>>> Tests Timed Out`, 'no_reward'],
  ])('says nothing when %s', (_, text, reason) => {
    expect(grade(text)).toMatchObject({ state: 'infra', resolved: false, reward: null });
    expect(grade(text).infra?.reason).toBe(reason);
  });

  test('results outside the markers count when there are none inside; carriage returns end lines', () => {
    const outside = `PASSED t::fixed\r\nPASSED t::kept\r\n${log('')}`;
    expect(grade(outside).resolved).toBe(true);
    expect(grade(log('50%\rPASSED t::fixed\rPASSED t::kept')).resolved).toBe(true);
  });

  test('a parser that is not known is refused', () => {
    const reader: ResultReader = { kind: 'swe-bench', parser: 'parse_log_x', failOnly: false };
    expect(() => grade(log(''), LISTS, reader)).toThrow('There is no log parser parse_log_x.');
  });
});

describe('reports', () => {
  const of = (
    kind: 'junit' | 'ctrf' | 'swe-bench-pro' | 'patcheval',
    name: string,
    content: string,
    lists: ExpectedTests | null = LISTS,
  ) => verdictOf(judged({ kind }, lists), evidence({ files: { [name]: Buffer.from(content) } }));

  const junit = (...cases: string[]) =>
    `<testsuites><testsuite>${cases.join('')}</testsuite></testsuites>`;
  const one = (name: string, inside = '') =>
    `<testcase classname="t" name="${name}">${inside}</testcase>`;
  const xfail = '<skipped type="pytest.xfail" message=""/>';

  test('JUnit: expected failures and skipped tests are told apart', () => {
    expect(of('junit', 'junit.xml', junit(one('fixed'), one('kept'))).resolved).toBe(true);
    expect(of('junit', 'junit.xml', junit(one('fixed', xfail), one('kept', xfail))).resolved).toBe(
      true,
    );
    const skipped = of(
      'junit',
      'junit.xml',
      junit(one('fixed', '<skipped/>'), one('kept', '<skipped/>')),
    );
    expect(skipped.failToPass?.unmet).toEqual([{ name: 't::fixed', status: 'SKIPPED' }]);
    expect(skipped.passToPass?.met).toBe(1);
    const twice = of(
      'junit',
      'junit.xml',
      junit(one('fixed'), one('fixed', '<error/>'), one('kept')),
    );
    expect(twice.failToPass?.unmet).toEqual([{ name: 't::fixed', status: 'ERROR' }]);
  });

  test('JUnit: long names and names with line breaks are spelled as the report has them', () => {
    const long = `t::${'x'.repeat(700)}`;
    const lists = { failToPass: [long, 't::a\nb'], passToPass: [] };
    const report = junit(one('x'.repeat(700)), one('a&#10;b'));
    expect(of('junit', 'junit.xml', report, lists).resolved).toBe(true);
  });

  test('without a list of expected tests all that ran must pass, and some must run', () => {
    const plain = (...cases: string[]) => of('junit', 'junit.xml', junit(...cases), null);
    expect(plain(one('a'), one('b', '<skipped/>'))).toMatchObject({ resolved: true, reward: 1 });
    expect(plain(one('a'), one('b', '<failure/>'))).toMatchObject({ resolved: false, reward: 0 });
    expect(plain(one('b', '<skipped/>'))).toMatchObject({ resolved: false });
    expect(plain()).toMatchObject({ state: 'infra', infra: { reason: 'no_tests_collected' } });
  });

  test('CTRF: pending is skipped, other is an error', () => {
    const ctrf = (...tests: [string, string][]) =>
      JSON.stringify({ results: { tests: tests.map(([name, status]) => ({ name, status })) } });
    expect(
      of('ctrf', 'ctrf.json', ctrf(['t::fixed', 'passed'], ['t::kept', 'pending'])).resolved,
    ).toBe(true);
    const other = of('ctrf', 'ctrf.json', ctrf(['t::fixed', 'other'], ['t::kept', 'passed']));
    expect(other.failToPass?.unmet).toEqual([{ name: 't::fixed', status: 'ERROR' }]);
  });

  test('SWE-bench Pro: all have to be passed; no result is no failure', () => {
    const pro = (tests: unknown) => of('swe-bench-pro', 'output.json', JSON.stringify({ tests }));
    const named = (fixed: string, kept: string) =>
      pro([
        { name: 't::fixed', status: fixed },
        { name: 't::kept', status: kept },
      ]);
    expect(named('PASSED', 'PASSED')).toMatchObject({ resolved: true, reward: 1 });
    expect(named('PASSED', 'SKIPPED')).toMatchObject({ resolved: false, reward: 0 });
    expect(pro([])).toMatchObject({ state: 'infra', infra: { reason: 'no_tests_collected' } });
    expect(pro('x')).toMatchObject({ state: 'infra', infra: { reason: 'no_reward' } });
    const parts = evidence({ text: 'npm ERR! getaddrinfo ENOTFOUND registry' });
    expect(verdictOf(judged({ kind: 'swe-bench-pro' }, LISTS), parts).infra).toEqual({
      reason: 'network_unreachable',
      detail: 'the verifier left no output.json: npm ERR! getaddrinfo ENOTFOUND registry',
    });
  });

  test.each([
    [{ exploit: 0, unit_tests: 0 }, 1, 1],
    [{ exploit: 0, unit_tests: null }, 1, 1],
    [{ exploit: 0, unit_tests: 1 }, 0, 1],
    [{ exploit: 1, unit_tests: 0 }, 0, 0],
  ])('PatchEval: %j is strict %d, exploit only %d', (codes, strict, exploitOnly) => {
    expect(of('patcheval', 'patcheval.json', JSON.stringify(codes), null)).toMatchObject({
      state: 'graded',
      resolved: strict === 1,
      reward: strict,
      rewards: { strict, exploit_only: exploitOnly },
    });
  });

  test('PatchEval: a script that did not run or did not end is no result', () => {
    const codes = (value: unknown) =>
      of('patcheval', 'patcheval.json', JSON.stringify(value), null);
    expect(codes({ exploit: null, unit_tests: 0 }).infra?.reason).toBe('no_reward');
    expect(codes({ exploit: 124, unit_tests: 0 }).infra?.reason).toBe('tests_timed_out');
    expect(codes({ exploit: 'x' }).infra?.reason).toBe('no_reward');
  });

  test.each(['junit', 'ctrf', 'swe-bench-pro', 'patcheval'] as const)(
    'a %s report that is missing or broken is no result',
    (kind) => {
      expect(of(kind, 'other', '')).toMatchObject({
        state: 'infra',
        infra: { reason: 'no_reward' },
      });
      for (const name of ['junit.xml', 'ctrf.json', 'output.json', 'patcheval.json']) {
        for (const content of ['', '{', '{}', '[]', '<!DOCTYPE x><testsuites/>', 'null']) {
          expect(of(kind, name, content).state).toBe('infra');
        }
      }
    },
  );

  test('a reward beside a report is kept; the tests decide', () => {
    const files = {
      'junit.xml': Buffer.from(junit(one('fixed'), one('kept', '<failure/>'))),
      'reward.json': Buffer.from('{"reward": 0.5, "share": 1}'),
    };
    expect(verdictOf(judged({ kind: 'junit' }, LISTS), evidence({ files }))).toMatchObject({
      resolved: false,
      reward: 0.5,
      rewards: { reward: 0.5, share: 1 },
    });
  });
});

describe('other endings', () => {
  const reward = judged({ kind: 'reward' });

  test('P08 an empty patch, a patch that does not apply', () => {
    expect(emptyPatchGrading(judged(SWE, LISTS))).toMatchObject({
      ...{ state: 'graded', resolved: false, reward: 0, applied: true },
      failToPass: { expected: 1, met: 0, unmet: [{ name: 't::fixed', status: 'MISSING' }] },
    });
    expect(verdictOf(reward, evidence({ applied: false }))).toMatchObject({
      ...{ state: 'graded', applied: false, resolved: false, reward: 0 },
    });
  });

  test('time, memory and missing images say nothing of the patch', () => {
    const files = { 'reward.txt': Buffer.from('1') };
    expect(verdictOf(reward, evidence({ timedOut: true, files, seconds: 61 })).infra).toEqual({
      reason: 'tests_timed_out',
      detail: 'not done after 61 s',
    });
    expect(verdictOf(reward, evidence({ outOfMemory: true })).infra?.reason).toBe('out_of_memory');
    expect(verdictOf(reward, evidence({ outOfMemory: true, files }))).toMatchObject({
      resolved: true,
    });
    expect(infraGrading(reward, 'image_missing', 'x:y')).toMatchObject({
      state: 'infra',
      reward: null,
      summary: 'Not graded: the image of the task is not here (x:y).',
    });
  });

  test('results that may stand where a log was cut are not taken for missing', () => {
    const of = (text: string) =>
      verdictOf(judged(SWE, LISTS), evidence({ text: log(text, 1), logCutBytes: 5 }));
    expect(of('PASSED t::fixed\nFAILED t::x').infra).toEqual({
      reason: 'no_reward',
      detail: '5 bytes of the log were cut out',
    });
    expect(of('FAILED t::fixed')).toMatchObject({ state: 'graded', resolved: false });
    expect(of('PASSED t::fixed\nPASSED t::kept\nFAILED t::x')).toMatchObject({ resolved: true });
  });

  test('thousands of missing tests are counted, and some named', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `t::${at}`);
    const lists = { failToPass: [], passToPass: names };
    const { passToPass } = verdictOf(judged(SWE, lists), evidence({ text: log('FAILED t::1', 1) }));
    expect([passToPass?.expected, passToPass?.met, passToPass?.unmet.length]).toEqual([
      5_000, 0, 200,
    ]);
  });
});
