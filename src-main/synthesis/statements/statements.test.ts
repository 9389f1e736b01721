import { expect, test } from 'vitest';
import type { Candidate, StatementFacts } from '../types.ts';
import { assertionPart, readAssertion } from './failing-output.ts';
import { leaksOf } from './leaks.ts';
import { writeStatement } from './write-statement.ts';

const OUTPUT = `
_________________________ test_sum _________________________

    def test_sum():
>       assert total([2, 2]) == 4
E       assert 0 == 4
E        +  where 0 = total([2, 2])

tests/test_money.py:5: AssertionError
`;

function file(text: string, path = 'pkg/ledger.py'): Candidate['changes'][number]['before'] {
  return { path, mode: '100644', content: Buffer.from(text) };
}

const GOOD = 'def total(parts):\n    return sum(parts)\n\n\nclass Ledger_Book:\n    pass\n';
const BAD = GOOD.replace('return sum(parts)', 'return sum(parts[:0])');

function facts(more: Partial<Candidate> = {}, output = OUTPUT): StatementFacts {
  return {
    candidate: {
      generator: 'mutate',
      method: 'slice',
      bugClass: 'boundary',
      changes: [{ path: 'pkg/ledger.py', before: file(GOOD), after: file(BAD) }],
      places: [{ path: 'pkg/ledger.py', line: 2, symbol: 'Ledger_Book.add_entry' }],
      tests: {},
      provenance: {},
      ...more,
    },
    failing: [{ name: 'tests/test_money.py::test_sum', output }],
    command: 'python3 -m pytest -q',
    seed: 1,
  };
}

const CLEAN = 'Adding up two amounts gives 0 although 4 is what should come out of it.';

test.each([
  [CLEAN, []],
  [`${CLEAN} Look at total([2, 2]) in tests/test_money.py, it ends on line 5.`, []],
  ['', ['the text is empty']],
  ['It is broken.', ['the text is too short']],
  [`${CLEAN} See pkg/ledger.py.`, ['file pkg/ledger.py']],
  [`${CLEAN} See ledger.py there.`, ['file ledger.py']],
  [`${CLEAN} See pkg.ledger there.`, ['file pkg.ledger']],
  [`${CLEAN} The \`ledger\` is at fault.`, ['file ledger']],
  // A plain word is no name of a file.
  [`${CLEAN} It is for a ledger.`, []],
  [`${CLEAN} It is on line 2.`, ['line 2']],
  [`${CLEAN} It is in Ledger_Book.`, ['symbol Ledger_Book']],
  [`${CLEAN} It is in add_entry().`, ['symbol add_entry']],
  [`${CLEAN} It should read\n  return  sum(parts)`, ['code return sum(parts)']],
  [`${CLEAN} It reads return sum(parts[:0]) now.`, ['code return sum(parts[:0])']],
  [`${CLEAN}\n@@ -1 +1 @@\n-a\n+b`, ['a diff']],
])('what a statement gives away: %j', (text, leaks) => {
  expect(leaksOf(text, facts())).toEqual(leaks);
});

test('what the failing output or the name of a test shows may be said', () => {
  const text = `${CLEAN} See pkg/ledger.py line 2, add_entry: return sum(parts[:0])`;
  expect(leaksOf(text, facts()).length).toBeGreaterThan(3);
  const shown = `${OUTPUT}\npkg/ledger.py:2: in add_entry\n    return sum(parts[:0])\n`;
  expect(leaksOf(text, facts({}, shown))).toEqual([]);
});

test('failing output is cut to its assertion, without places and hidden characters', () => {
  expect(assertionPart(OUTPUT)).toBe('assert 0 == 4\n +  where 0 = total([2, 2])');
  expect(assertionPart('E   a\u001b[31m\u202eb')).toBe('ab');
  expect(assertionPart('--- FAIL: TestSum\n    money_test.go:12: got 0, want 4\nFAIL\n')).toContain(
    '    got 0, want 4',
  );
  expect(assertionPart('Error: no\n    at add (src/a.js:3:4)\n')).toBe('Error: no');
  const long = assertionPart(`E  ${'x'.repeat(5_000)}\n`.repeat(50));
  expect([long.length <= 2_000, long.length > 1_500]).toEqual([true, true]);
  expect(assertionPart('')).toBe('');
});

test('exception, expected and got are read', () => {
  const none = { exception: null, expected: null, got: null };
  expect(readAssertion('assert 0 == 4\n + where')).toEqual({ ...none, got: '0', expected: '4' });
  expect(readAssertion('ValueError: bad')).toEqual({ ...none, exception: 'ValueError' });
  const ownWords = 'TypeError: Expected text, got None';
  expect(readAssertion(ownWords)).toEqual({ ...none, exception: 'TypeError' });
  const cut = "AssertionError: assert 'a...z' == 'a...z'";
  expect(readAssertion(cut)).toEqual({ ...none, exception: 'AssertionError' });
  const jest = 'Expected: 4\nReceived: 0';
  expect(readAssertion(jest)).toEqual({ ...none, got: '0', expected: '4' });
  expect(readAssertion('got 0, want 4')).toEqual({ ...none, got: '0', expected: '4' });
  const tape = assertionPart('    operator: equal\n    expected: 4\n    actual: 0\n    at: t.js:1');
  expect(readAssertion(tape)).toEqual({ ...none, got: '0', expected: '4' });
  const suite = assertionPart(
    'a_test.go:8:\n    c.Assert(x)\n... obtained int = 0\n... expected int = 4',
  );
  expect(readAssertion(suite)).toEqual({ ...none, got: '0', expected: '4' });
  const example = assertionPart('--- FAIL: ExampleAdd (0.00s)\ngot: 0\nwant: 4\nFAIL');
  expect(readAssertion(example)).toEqual({ ...none, got: '0', expected: '4' });
});

test('templates: the same for a seed, many over seeds, none leaks', async () => {
  const outputs = [
    OUTPUT,
    '',
    'E   ValueError: bad ledger in add_entry',
    'got 0, want 4',
    'panic: x\ngoroutine 1 [running]:\nmain.go:3',
    'E  a\u200bdd_entry\u202e',
    `E   ${'long '.repeat(900)}`,
  ];
  const symbols = ['total', 'add_entry', 'Something', 'There', 'TestLog', 'cause', 'Failing', 'E'];
  const lines = ['return sum(parts)', 'The report says:', "'mend it'", 'a result is wrong: 0'];
  const texts = new Set<string>();
  for (let seed = 0; seed < 60; seed += 1) {
    for (const [at, output] of outputs.entries()) {
      const symbol = symbols[(seed + at) % symbols.length] ?? null;
      const line = lines[(seed + at) % lines.length] ?? '';
      const change = { path: `pkg/${symbol}.py`, before: file(line), after: file('x = 0001') };
      const places = [{ path: `pkg/${symbol}.py`, line: seed, symbol }];
      const given = { ...facts({ changes: [change], places }, output), seed };
      const statement = await writeStatement(given, null);
      expect([statement.by, leaksOf(statement.text, given)]).toEqual(['template', []]);
      expect(await writeStatement(given, null)).toEqual(statement);
      texts.add(statement.text);
    }
  }
  expect(texts.size).toBeGreaterThan(100);
});

test('a model that leaks is told so and asked again once; then a template is taken', async () => {
  const asked: string[] = [];
  const scripted = (answers: string[]) => (prompt: { system: string; user: string }) => {
    asked.push(prompt.user);
    return Promise.resolve(answers.shift() ?? '');
  };
  const leaking = `${CLEAN} It is in add_entry().`;
  expect(await writeStatement(facts(), scripted([`<think>hm</think>\n${CLEAN}`]))).toEqual({
    text: CLEAN,
    by: 'model',
  });
  expect(await writeStatement(facts(), scripted([leaking, CLEAN]))).toMatchObject({ by: 'model' });
  const kept = await writeStatement(facts(), scripted([leaking, leaking, CLEAN]));
  expect([kept.by, leaksOf(kept.text, facts())]).toEqual(['template', []]);
  expect(asked).toHaveLength(5);
  expect(asked[2]).toContain('symbol add_entry');
  // The model is shown neither the fix nor the bug.
  expect(asked.join('\n')).not.toMatch(/sum\(parts|ledger\.py/);
});
