import { expect, test } from 'vitest';
import type { InfraReason, TestStatus } from '../../contract/index.ts';
import type { Graded, Judges, Task } from '../../evaluation/index.ts';
import type { Candidate, FileChange } from '../types.ts';
import { readLines, sortSteady } from './baseline.ts';
import { bugPatch, fixPatch, idOf, taskName, withBug } from './candidate.ts';
import { sortTests } from './judge-candidate.ts';
import { reportOf } from './report.ts';
import { roundRobin } from './round-robin.ts';
import { withinTime } from './time-limit.ts';
import { withTimes } from './timed-judges.ts';
import type { SynthParts, TriedCandidate } from './types.ts';

const file = (path: string, text: string) => ({
  ...{ path, mode: '100644' as const },
  content: Buffer.from(text),
});
const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before: before === null ? null : file(path, before),
  after: after === null ? null : file(path, after),
});
const candidate = (changes: FileChange[], more: Partial<Candidate> = {}): Candidate => ({
  ...{ generator: 'mutate', method: 'swap_operator', bugClass: 'logic', changes, tests: {} },
  ...{ places: [{ path: 'a.py', line: 1, symbol: 'Shop.price' }], provenance: {} },
  ...more,
});
const statuses = (all: Record<string, TestStatus>) => new Map(Object.entries(all));

test('steady tests passed in each run; those that differ, or were missing once, are flaky', () => {
  const first = statuses({ a: 'PASSED', b: 'PASSED', c: 'FAILED', d: 'PASSED', e: 'SKIPPED' });
  const second = statuses({ a: 'PASSED', b: 'FAILED', c: 'FAILED', e: 'SKIPPED' });
  expect(sortSteady([first, second])).toEqual({ steady: ['a'], flaky: ['b', 'd'] });
});

test('a bug is told by steady tests that fail; hidden tests are on no list', () => {
  const steady = ['a', 'b', 'c'];
  expect(sortTests(steady, statuses({ a: 'FAILED', b: 'PASSED', x: 'FAILED' }))).toEqual({
    expected: { failToPass: ['a'], passToPass: ['b'] },
  });
  expect(sortTests(steady, statuses({ a: 'PASSED', b: 'PASSED', c: 'PASSED' }))).toEqual({
    ...{ refusal: 'no_test_tells', detail: '' },
  });
  expect(sortTests(steady, statuses({ 'test_a.py': 'ERROR' }))).toEqual({
    ...{ refusal: 'collection_error', detail: '3 tests leave no result' },
  });
});

test('lines are read; what is no list of lines is no coverage', () => {
  expect(readLines('{"a.py": [1, 3]}')).toEqual(new Map([['a.py', new Set([1, 3])]]));
  expect(readLines('{"a.py": 1}')).toBeNull();
  expect(readLines('{')).toBeNull();
});

test('the patch of a bug and that of its fix are each other undone; laid tests are in no fix', async () => {
  const bug = candidate([
    change('a.py', 'x = 1\n', 'x = 2\n'),
    change('test_a.py', 'new\n', 'old\n'),
  ]);
  const both = { ...bug, tests: { 'test_a.py': Buffer.from('new\n') } };
  expect(Buffer.from(await bugPatch(both)).toString()).toContain('-x = 1\n+x = 2\n');
  const fix = Buffer.from(await fixPatch(both)).toString();
  expect(fix).toContain('-x = 2\n+x = 1\n');
  expect(fix).not.toContain('test_a.py');
  const tree = { repository: '/r', commit: 'c', files: new Map([['b.py', file('b.py', '')]]) };
  expect([...withBug(tree, both).keys()]).toEqual(['b.py', 'a.py', 'test_a.py']);
});

test('the same bytes are the same bug, whatever made them', () => {
  const one = candidate([change('a.py', 'x', 'y'), change('b.py', 'x', null)]);
  const same = candidate([change('b.py', 'x', null), change('a.py', 'x', 'y')], {
    method: 'other',
  });
  expect(idOf(one)).toBe(idOf(same));
  expect(idOf(candidate([change('a.py', 'x', 'z')]))).not.toBe(idOf(one));
  expect(taskName('/home/My Repo', one, '0123456789ab')).toBe(
    'my-repo-swap-operator-shop-price-01234567',
  );
});

test('generators take turns, and the rest goes on when one is at its end', async () => {
  async function* of(...methods: string[]) {
    for (const method of methods) yield await Promise.resolve(candidate([], { method }));
  }
  const source = roundRobin([of('a1'), of('b1', 'b2', 'b3')]);
  const taken = await Promise.all([1, 2, 3, 4, 5].map(() => source.next()));
  expect(taken.map((one) => one?.method)).toEqual(['a1', 'b1', 'b2', 'b3', undefined]);
  await source.end();
});

test('a report counts by method and by refusal', () => {
  const tried = (more: Partial<TriedCandidate>): TriedCandidate => ({
    ...{ id: 'i', generator: 'mutate', method: 'm', bugClass: 'logic' },
    ...{ origin: null, files: ['a.py'], effect: null },
    ...{ task: null, refusal: 'no_test_tells', detail: '' },
    ...more,
  });
  const all = [tried({}), tried({ task: 't', refusal: null }), tried({ method: 'n' })];
  const spent = { seconds: 90, testSeconds: 45, workers: 2, made: 1 };
  expect(reportOf(all, { target: 5, flaky: [] }, spent)).toEqual({
    ...{ target: 5, tried: 3, validated: 1, flaky: [], seconds: 90, testSeconds: 45, workers: 2 },
    byMethod: [
      { generator: 'mutate', method: 'm', tried: 2, validated: 1 },
      { generator: 'mutate', method: 'n', tried: 1, validated: 0 },
    ],
    refusals: [{ refusal: 'no_test_tells', count: 2 }],
    ...{ testShare: 0.25, tasksAnHourPerWorker: 20 },
  });
});

test('what the machine spoilt is judged once more, and all time in tests is counted', async () => {
  const graded = (reason: InfraReason | null, seconds: number) =>
    ({ grading: { infra: reason && { reason }, seconds } }) as unknown as Graded;
  const judged = async (answers: Graded[]) => {
    let total = 0;
    const parts = {
      withJudges: (use: (judges: Judges) => Promise<Graded>) =>
        use({ patch: () => Promise.resolve(answers.shift()) } as unknown as Judges),
    } as unknown as SynthParts;
    const timed = withTimes(parts, (seconds) => (total += seconds));
    const found = await timed.withJudges(({ patch }) => patch({} as Task, new Uint8Array()));
    return [found.grading.infra?.reason, total, answers.length];
  };
  const lost = graded('workspace_lost', 0);
  expect(await judged([lost, graded(null, 2)])).toEqual([undefined, 2, 0]);
  expect(await judged([lost, lost, graded(null, 2)])).toEqual(['workspace_lost', 0, 1]);
  expect(await judged([graded('tests_timed_out', 9), lost])).toEqual(['tests_timed_out', 9, 1]);
});

test('with a bug tests may run ten times as long and half a minute more, never over their own limit', () => {
  const limit = (seconds: number) =>
    withinTime({ verifier: { timeoutMs: 600_000 } } as Task, seconds).verifier.timeoutMs;
  expect([limit(0.5), limit(10), limit(100)]).toEqual([35_000, 130_000, 600_000]);
});
