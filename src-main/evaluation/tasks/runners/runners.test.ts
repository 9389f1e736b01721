import { expect, test } from 'vitest';
import { runnerOf } from './index.ts';
import { runVerifier } from './testing.ts';

test.each([
  ['python3 -m pytest -q', 'pytest'],
  ['cd a && go test ./...', 'go'],
  ["sh -c 'go test -short .'", 'go'],
  ['node --import tsx --test test/', 'node'],
  ['npx mocha test', 'mocha'],
  ['nyc node_modules/.bin/_mocha', 'mocha'],
  ['vitest run', 'vitest'],
  ['jest', 'jest'],
  ["nyc tape 'test/**/*.js'", 'tap'],
  ['go vet ./... ; node build.js; ./pytest.sh; mocha-webpack', undefined],
  ['node build.js && ./run --test', undefined],
])('%s calls %s', (command, name) => {
  expect(runnerOf(command)?.name).toBe(name);
});

const GO = {
  command: 'go test ./...',
  programs: { go: 'echo "$@" >&2; cat "$RECORDED/$LOG"; exit 1' },
};

test.each(['go-1.26.txt', 'go-1.19.txt'])('tests of Go, as %s has them', async (recorded) => {
  const shop = 'example.com/m/shop::';
  const found = await runVerifier({
    ...GO,
    command: `export LOG=${recorded}; go test ./...`,
    expected: { fail_to_pass: [`${shop}TestAdd`], pass_to_pass: [`${shop}TestSub/a_b`] },
  });
  expect(found.code).toBe(1);
  expect(found.statuses).toEqual({
    [`${shop}TestAdd`]: 'failed',
    [`${shop}TestSub`]: 'failed',
    [`${shop}TestSub/a_b`]: 'passed',
    [`${shop}TestSub/c`]: 'failed',
    [`${shop}TestSkip`]: 'skipped',
    [`${shop}TestPartial`]: 'passed',
    [`${shop}TestSuite`]: 'failed',
    [`${shop}TestSuite/S.TestOne`]: 'passed',
    [`${shop}TestSuite/S.TestTwo`]: 'failed',
    [`${shop}TestPanic`]: 'failed',
    'example.com/m/broken::[build failed]': 'error',
    'example.com/m/user::[build failed]': 'error',
    'example.com/m/vet::[build failed]': 'error',
    'example.com/m/suite::[package]': 'error',
  });
  const outputOf = (name: string) => found.cases?.find((one) => one.name === name);
  expect(outputOf(`${shop}TestAdd`)?.output).toContain('shop_test.go:10: got 0, want 4');
  expect(outputOf(`${shop}TestSuite`)?.output).toBe('');
  expect(outputOf(`${shop}TestSuite/S.TestTwo`)?.output).toContain('... obtained int = 1');
  expect(outputOf('example.com/m/user::[build failed]')).toMatchObject({
    type: 'build',
    output: expect.stringMatching(/^broken\/broken\.go:3:23: undefined: missing/) as string,
  });
  expect(outputOf('example.com/m/vet::[build failed]')?.output).toMatch(/^vet\/vet\.go:5:\d+: fmt/);
  expect(found.reward).toEqual({ reward: 0, fail_to_pass: 0, pass_to_pass: 1 });
  // What a person reads is no JSON.
  expect(found.log).toContain('\n--- FAIL: TestAdd (0.00s)\n');
  expect(found.log).toContain('test -json ./...\n');
});

test('Go is told the order of tests and where to leave the lines', async () => {
  const found = await runVerifier({
    command: 'go test ./... -short',
    files: { 'go.mod': 'module example.com/m\n' },
    programs: {
      go: [
        'echo "$@"',
        'profile=$(echo "$@" | sed "s/.*-coverprofile=\\([^ ]*\\).*/\\1/")',
        'printf "mode: set\\nexample.com/m/a/b.go:3.10,5.2 2 1\\n" > "$profile"',
        'printf "example.com/m/a/b.go:7.1,9.2 1 0\\nother.org/c.go:1.1,2.2 1 1\\n" >> "$profile"',
      ].join('\n'),
    },
    ...{ order: 7, withLines: true },
  });
  expect(found.log).toMatch(
    /^test -json -shuffle=7 -coverpkg=\S+ -coverprofile=\S+ \.\/\.\.\. -short$/m,
  );
  expect(found.lines).toEqual({ 'a/b.go': [3, 4, 5] });
});

const NODE_TEST = `import { test, describe, it } from 'node:test';
import assert from 'node:assert';
test('adds', () => assert.equal(1 + 1, 3));
describe('group', () => {
  it('works', () => {});
  it('is <odd>', () => { throw new Error('boom'); });
  it.skip('waits', () => {});
});
`;

test("tests of Node's own runner have the file in their name", async () => {
  const found = await runVerifier({
    command: 'node --test',
    files: { 'test/a.mjs': NODE_TEST, 'test/b.mjs': NODE_TEST, 'test/c.mjs': 'const x = ;\n' },
    expected: { fail_to_pass: ['test/a.mjs::group > works'], pass_to_pass: [] },
  });
  const file = (name: string) => ({
    [`${name}::adds`]: 'failed',
    [`${name}::group > works`]: 'passed',
    [`${name}::group > is <odd>`]: 'failed',
    [`${name}::group > waits`]: 'skipped',
  });
  expect(found.statuses).toEqual({
    ...file('test/a.mjs'),
    ...file('test/b.mjs'),
    'test/c.mjs::[file]': 'error',
  });
  const broken = found.cases?.find(({ name }) => name === 'test/c.mjs::[file]');
  expect(broken).toMatchObject({ type: 'build' });
  expect(broken?.output).toContain("SyntaxError: Unexpected token ';'");
  expect(found.cases?.find(({ name }) => name === 'test/a.mjs::adds')?.output).toMatch(
    /^Assert.* 2 == 3/,
  );
  expect(found.reward).toEqual({ reward: 1, fail_to_pass: 1, pass_to_pass: 1 });
  expect(found.log).toContain('SyntaxError');
});

test("the lines that Node's processes ran", async () => {
  const found = await runVerifier({
    command: 'node --test test/a.mjs',
    files: {
      'lib.mjs': `export function size(n) {
  if (n > 1) {
    return 'big';
  }

  return 'small';
}
function unused() {
  return 1;
}
`,
      'test/a.mjs': "import { size } from '../lib.mjs';\nimport 'node:test';\nsize(0);\n",
    },
    withLines: true,
  });
  expect(found.lines).toEqual({ 'lib.mjs': [1, 2, 6, 7], 'test/a.mjs': [1, 2, 3] });
  expect(found.statuses).toEqual({ 'test/a.mjs::[file]': 'passed' });
});

test('tests of vitest, in another order where one is asked for', async () => {
  const files = {
    'a.test.ts': `import { expect, test } from 'vitest';
${Array.from({ length: 9 }, (_, at) => `test('t${at}', () => { console.log('ran ${at}'); });`).join('\n')}
test('fails', () => { expect(1).toBe(2); });
`,
  };
  const command = 'vitest run --root .';
  const [first, second] = [
    await runVerifier({ command, files }),
    await runVerifier({ command, files, order: 3 }),
  ];
  const ran = (log: string) => [...log.matchAll(/ran (\d)$/gm)].map(([, number]) => Number(number));
  expect(first.statuses['a.test.ts::fails']).toBe('failed');
  expect(first.statuses['a.test.ts::t0']).toBe('passed');
  expect(second.statuses).toEqual(first.statuses);
  expect(ran(first.log)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(ran(second.log)).not.toEqual(ran(first.log));
  expect(new Set(ran(second.log))).toEqual(new Set(ran(first.log)));
});

test('tests of mocha, from its own report', async () => {
  const mocha = 'cp "$RECORDED/mocha-12.xml" "${4#output=}"; echo "$@"; exit 2';
  const found = await runVerifier({ command: 'mocha test', programs: { mocha } });
  expect(found.log).toMatch(/^--reporter xunit --reporter-option output=\S+\/junit\.xml test$/m);
  expect(found.statuses).toEqual({
    ...{ top: 'passed', 'group::works': 'passed', 'group::fails': 'failed', 'group::s': 'skipped' },
    'group in::"before all" hook for "x"': 'failed',
  });
  expect(found.cases?.find(({ name }) => name === 'group::fails')?.output).toContain(
    'AssertionError',
  );
});

test('tests of jest, from its JSON', async () => {
  const jest =
    'sed "s#@FOLDER@#$PWD#" "$RECORDED/jest-29.json" > "${2#--outputFile=}"; echo "$@"; exit 1';
  const found = await runVerifier({ command: 'jest src', programs: { jest } });
  expect(found.log).toMatch(/^--json --outputFile=\S+\/jest\.json src$/m);
  expect(found.statuses).toEqual({
    'a.test.js::top': 'passed',
    'a.test.js::group > works': 'passed',
    'a.test.js::group > fails': 'failed',
    'a.test.js::group > s': 'skipped',
    'bad.test.js::[file]': 'error',
  });
  expect(found.cases?.find(({ type }) => type === 'build')?.output).toContain('SyntaxError');
});

test('tests of tape are its titles; one that breaks off fails', async () => {
  const found = await runVerifier({
    ...{ command: 'tape t.js', programs: { tape: 'cat "$RECORDED/tape-5.txt"; exit 1' } },
  });
  expect(found.statuses).toMatchObject({ works: 'passed', breaks: 'failed' });
  expect(Object.keys(found.statuses)).toEqual(['adds', 'works', 'breaks']);
  const [first, second] = found.cases ?? [];
  expect([first?.status, second?.status]).toEqual(['failed', 'failed']);
  expect(second?.output).toContain('expected: { a: 2 }\n    actual: { a: 1 }\n');
});

test('subtests of the Test Anything Protocol are named with what they are in', async () => {
  const found = await runVerifier({
    ...{ command: 'tap --reporter=tap', programs: { tap: 'cat "$RECORDED/node-20.tap"; exit 1' } },
  });
  expect(found.statuses).toEqual({
    ...{
      adds: 'failed',
      group: 'failed',
      'group > works': 'passed',
      'group > fails <x>': 'failed',
    },
    ...{ 'group > skipped': 'skipped', 'group > later': 'skipped' },
    ...{ parent: 'passed', 'parent > child': 'passed' },
  });
});

test('output without a result leaves no report and no reward', async () => {
  const tape = 'echo "SyntaxError: Unexpected token" >&2; exit 1';
  const found = await runVerifier({ command: 'tape t.js', programs: { tape } });
  expect(found).toMatchObject({ code: 1, cases: undefined, reward: null });
  expect(found.log).toContain('SyntaxError: Unexpected token');
});
