import { describe, expect, it } from 'vitest';
import { MAX_REPORT_BYTES, parseJunit } from './junit.ts';

const read = (text: string) => parseJunit(new TextEncoder().encode(text));

const suite = (cases: string) =>
  `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest">${cases}</testsuite></testsuites>`;

describe('JUnit reports', () => {
  it('names tests as pytest takes them', () => {
    const cases = [
      '<testcase classname="tests.test_a" name="test_ok" file="tests/test_a.py" line="1" time="0.0"/>',
      '<testcase classname="tests.test_a.TestC.Inner" name="test_m" file="tests/test_a.py"/>',
      '<testcase classname="tests.test_a" name="test_par[&lt;&amp;&gt;&quot;&#233;a.b]" file="tests/test_a.py"><failure message="assert 0">x</failure></testcase>',
      '<testcase classname="tests.test_a" name="test_s" file="tests/test_a.py"><skipped type="pytest.skip"/></testcase>',
      '<testcase classname="tests.test_a" name="test_e" file="tests/test_a.py"><error message="at setup">x</error></testcase>',
      '<testcase classname="" name="tests.test_b" file="tests/test_b.py"><error message="collection failure">x</error></testcase>',
    ];
    expect(read(suite(cases.join('')))).toEqual([
      { name: 'tests/test_a.py::test_ok', status: 'passed' },
      { name: 'tests/test_a.py::TestC::Inner::test_m', status: 'passed' },
      { name: 'tests/test_a.py::test_par[<&>"éa.b]', status: 'failed' },
      { name: 'tests/test_a.py::test_s', status: 'skipped' },
      { name: 'tests/test_a.py::test_e', status: 'error' },
      { name: 'tests/test_b.py', status: 'error' },
    ]);
  });

  it('reads nested suites and a bare suite, in order', () => {
    const nested =
      '<testsuites><testsuite><testsuite><testcase classname="A" name="1"/></testsuite></testsuite>' +
      '<testsuite><testcase classname="B" name="2"/></testsuite></testsuites>';
    expect(read(nested)?.map(({ name }) => name)).toEqual(['A::1', 'B::2']);
    expect(read('<testsuite><testcase name="x"/></testsuite>')).toEqual([
      { name: 'x', status: 'passed' },
    ]);
    expect(read('<testsuites></testsuites>')).toEqual([]);
    expect(read(suite(''))).toEqual([]);
  });

  it('refuses what is hostile, cut or no report', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    expect(read(`${bomb}<testsuites><testsuite/></testsuites>`)).toBeUndefined();
    expect(read(suite('<testcase name="a"/>').slice(0, -20))).toBeUndefined();
    expect(read('<html></html>')).toBeUndefined();
    expect(read('')).toBeUndefined();
    expect(read('{"testsuites": 1}')).toBeUndefined();
    expect(read(`${'<testsuite>'.repeat(5000)}${'</testsuite>'.repeat(5000)}`)).toBeUndefined();
    expect(parseJunit(new Uint8Array(MAX_REPORT_BYTES + 1))).toBeUndefined();
  });

  it('keeps names on one line and bounded, and sets no prototype', () => {
    const [long, lines, proto] =
      read(
        suite(
          `<testcase name="${'x'.repeat(10_000)}"/><testcase name="a&#10;b"/><testcase name="__proto__" __proto__="1"/>`,
        ),
      ) ?? [];
    expect(long?.name).toHaveLength(501);
    expect(lines?.name).toBe('a b');
    expect(proto).toEqual({ name: '__proto__', status: 'passed' });
  });
});
