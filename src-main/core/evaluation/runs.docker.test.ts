import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunProgress } from '../../evaluation/index.ts';
import { openStore } from '../../store/index.ts';
import {
  bash,
  DONE,
  openEvalPlace,
  SOLVE,
  type EvalPlace,
} from '../../../test/support/eval-place.ts';

let place: EvalPlace;
beforeEach(async () => {
  place = await openEvalPlace();
});
afterEach(() => place.dispose());

const NOTHING = { containers: 0, volumes: 0, snapshots: [] };
const run = (models: string[], more: object = {}) =>
  place.core().evaluations.run({ tasks: place.tasks, models, scaffolds: ['leaf'], ...more });

describe('a run', () => {
  test('all cells are recorded with their verdicts, and nothing is left behind', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const good = await place.script('good', SOLVE);
    const lazy = await place.script('lazy', [{ content: 'I think it is fine.' }]);
    const seen: RunProgress[] = [];
    const details = await place
      .core()
      .evaluations.run(
        { tasks: place.tasks, models: [good, lazy], scaffolds: [], seeds: [0, 5], workers: 3 },
        { onProgress: (progress) => seen.push(progress) },
      );
    expect(details.run).toMatchObject({
      ...{ state: 'done', tasks: 2, entries: ['good x leaf', 'lazy x leaf'], seeds: 2 },
      cells: { total: 8, graded: 8, resolved: 4, infra: 0, running: 0 },
    });
    const rows = details.cells.map((cell) => [cell.task, cell.entry, cell.seed, cell.outcome]);
    expect(rows).toEqual([
      ...[0, 5].map((seed) => ['one', 0, seed, 'resolved']),
      ...[0, 5].map((seed) => ['two', 0, seed, 'resolved']),
      ...[0, 5].map((seed) => ['one', 1, seed, 'empty']),
      ...[0, 5].map((seed) => ['two', 1, seed, 'empty']),
    ]);
    expect(details.cells[0]).toMatchObject({
      ...{ state: 'graded', tries: 1, resolved: true, reward: 1, ending: 'final_answer', steps: 2 },
      ...{ patch: { files: 1, insertions: 1, deletions: 1 }, premature: false, suspicions: [] },
    });
    expect(details.cells[4]?.premature).toBe(true);
    const core = place.core();
    expect(core.sessions()).toEqual([]);
    const states = core.sessions({ run: details.run.runId }).map(({ state }) => state);
    expect(states.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'no_patch'),
      ...Array.from({ length: 4 }, () => 'verified'),
    ]);
    expect(seen.at(-1)).toMatchObject({ total: 8, finished: 8, resolved: 4, running: [] });
    expect(Math.max(...seen.map(({ running }) => running.length))).toBe(3);
    expect(await place.remains()).toEqual(NOTHING);
  });

  test('seeds of a task run side by side on one snapshot, which goes when nobody needs it', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const good = await place.script('good', SOLVE);
    const begun: string[] = [];
    const snapshots = new Set<number>();
    const { cells } = await place.core().evaluations.run(
      { tasks: place.tasks, models: [good], scaffolds: [], seeds: [0, 1, 2], workers: 1 },
      {
        onProgress: ({ running }) => {
          const [cell] = running;
          const name = cell === undefined ? '' : `${cell.task}${cell.seed}`;
          if (name !== '' && !begun.includes(name)) begun.push(name);
          void place.remains().then((left) => snapshots.add(left.snapshots.length));
        },
      },
    );
    expect(begun).toEqual(['one0', 'one1', 'one2', 'two0', 'two1', 'two2']);
    const taken = cells.map(
      ({ sessionId }) =>
        place
          .core()
          .events(sessionId)
          .find(({ body }) => body.type === 'snapshot.taken')?.body,
    );
    const gitDirs = taken.map((body) => (body?.type === 'snapshot.taken' ? body.gitDir : ''));
    expect(new Set(gitDirs).size).toBe(2);
    expect(Math.max(...snapshots)).toBe(1);
    expect(await place.remains()).toEqual(NOTHING);
  });

  test('a task that is judged in the workspace of its agent keeps what lies outside the repository', async () => {
    const script = 'if [ -e /opt/made ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt';
    await place.addTask('outside', {
      tests: { 'test.sh': `#!/bin/sh\n${script}\n` },
      verifier: { on: 'workspace', timeoutMs: 60_000, reader: { kind: 'reward' } },
    });
    const good = await place.script('good', [bash('mkdir -p /opt && touch /opt/made'), DONE]);
    const { cells } = await run([good]);
    expect(cells).toMatchObject([
      { state: 'graded', resolved: true, outcome: 'resolved', patch: { files: 0 } },
    ]);
    expect(await place.remains()).toEqual(NOTHING);
  });
});

describe('what says nothing of the model', () => {
  const fault = (times: number) => ({ fault: 'status', status: 403, message: 'no', times });

  test('is tried again as a new attempt; the last one counts', async () => {
    await place.addTask('one');
    const model = await place.script('flaky', [SOLVE[0] ?? DONE, fault(1), DONE]);
    const { run: summary, cells } = await run([model]);
    expect(summary.cells).toEqual({ total: 1, graded: 1, resolved: 1, infra: 0, running: 0 });
    expect(cells).toMatchObject([{ state: 'graded', tries: 2, resolved: true, steps: 2 }]);
    const sessionId = cells[0]?.sessionId ?? '';
    const { attempts } = place.core().result(sessionId);
    expect(attempts.map(({ exitReason }) => exitReason)).toEqual(['llm_query_error', 'agent']);
    expect(await place.remains()).toEqual(NOTHING);
  });

  test('is its own state after the retries, and no zero', async () => {
    await place.addTask('one');
    const model = await place.script('broken', [SOLVE[0] ?? DONE, fault(99), DONE]);
    const { run: summary, cells } = await run([model], { infraRetries: 1 });
    expect(summary).toMatchObject({ state: 'done', cells: { graded: 0, resolved: 0, infra: 1 } });
    expect(cells).toMatchObject([
      {
        ...{ state: 'infra', tries: 2, reward: null, outcome: 'infra', ending: 'infra' },
        grading: { state: 'infra', infra: { reason: 'model_server' } },
      },
    ]);
  });

  test('a missing image is not tried again; retried on demand once it is there', async () => {
    await place.addTask('one', { image: 'vivarium-not-here:1' });
    await place.addTask('two');
    const model = await place.script('good', SOLVE);
    const { run: summary, cells } = await run([model]);
    expect(summary).toMatchObject({ state: 'done', cells: { graded: 1, resolved: 1, infra: 1 } });
    expect(cells[0]).toMatchObject({ task: 'one', state: 'infra', tries: 0, outcome: 'infra' });
    expect(cells[0]?.detail).toMatch(/vivarium-not-here:1 .* is not on this machine/);
  });

  test('a verifier that leaves no reward is infra, not unsolved', async () => {
    await place.addTask('one', { tests: { 'test.sh': '#!/bin/sh\nexit 0\n' } });
    const model = await place.script('good', SOLVE);
    const { cells } = await run([model], { infraRetries: 1 });
    expect(cells).toMatchObject([
      // Judged twice, attempted once: another attempt would be a second chance for the model.
      { state: 'infra', tries: 1, grading: { infra: { reason: 'no_reward' } } },
    ]);
  });
});

describe('a patch that keeps its tests from coming to an end', () => {
  /** As hidden tests run what a patch wrote: here a script of it. */
  const tests = {
    'test.sh': [
      '#!/bin/sh',
      'cd /workspace',
      '[ ! -e run.sh ] || sh ./run.sh',
      'grep -q right a.txt && r=1 || r=0',
      'echo $r > /logs/verifier/reward.txt',
    ].join('\n'),
  };

  test('counts as unsolved, since without it they do; made again it is the same', async () => {
    await place.addTask('one', { tests });
    const model = await place.script('breaker', [bash('echo "kill -9 -1" > run.sh'), DONE]);
    const { run: summary, cells } = await run([model], { infraRetries: 1 });
    expect(cells).toMatchObject([
      {
        ...{ state: 'graded', tries: 1, resolved: false, reward: 0 },
        grading: {
          ...{ infra: null, applied: true },
          summary:
            'Not resolved: with the patch the tests left no result (it left neither reward.json nor reward.txt); without it the tests come to their end.',
        },
      },
    ]);
    const { evaluations } = place.core();
    for (const withTests of [false, true]) {
      const again = await evaluations.regrade(summary.runId, { tests: withTests });
      expect(again).toEqual({ runId: summary.runId, cells: 1, changed: [], skipped: [] });
    }
    expect((await evaluations.show(summary.runId)).cells).toEqual(cells);
    expect(await place.remains()).toEqual(NOTHING);
  });
});

test('a patch whose tests end their workspace is no fault of the machine', async () => {
  const script =
    '#!/bin/sh\ncd /workspace\n[ ! -e run.sh ] || sh ./run.sh\necho 0 > /logs/verifier/reward.txt\n';
  await place.addTask('one', { tests: { 'test.sh': script } });
  const forks = `printf 'import os\\nwhile True: os.fork()\\n' > a.py; echo 'python3 a.py' > run.sh`;
  const model = await place.script('forks', [bash(forks), DONE]);
  const { cells } = await run([model], { infraRetries: 1 });
  expect(cells).toMatchObject([
    { state: 'graded', tries: 1, resolved: false, reward: 0, grading: { infra: null } },
  ]);
  expect(cells[0]?.grading?.summary).toMatch(/^Not resolved: /);
  expect(await place.remains()).toEqual(NOTHING);
});

describe('verdicts made again', () => {
  test('from the record and by the tests they are the same; one that differs is put right', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const good = await place.script('mixed', [
      ...[{ when: 'Fix one' }, ...SOLVE],
      ...[{ when: 'Fix two' }, bash('echo still broken > a.txt'), DONE],
    ]);
    const { run: summary, cells } = await run([good]);
    expect(cells.map(({ outcome }) => outcome)).toEqual(['resolved', 'never_fixed']);
    const { evaluations } = place.core();
    for (const tests of [false, true]) {
      const again = await evaluations.regrade(summary.runId, { tests });
      expect(again).toEqual({ runId: summary.runId, cells: 2, changed: [], skipped: [] });
    }
    expect((await evaluations.show(summary.runId)).cells).toEqual(cells);
    expect(await place.remains()).toEqual(NOTHING);

    const [first] = cells;
    const store = openStore(path.join(place.home, 'vivarium.db'));
    const { grading = null, sessionId = '', attemptId = null } = first ?? {};
    if (grading === null) throw new Error('the first cell has its verdict');
    const result = { ...grading, resolved: false, reward: 0, summary: 'Wrong.' };
    const wrong = { type: 'grading.finished', result, again: true } as const;
    store.append({ sessionId, attemptId, body: wrong });
    store.close();
    expect(await evaluations.regrade(summary.runId)).toMatchObject({
      ...{ cells: 2, skipped: [] },
      changed: [{ task: 'one', seed: 0, before: 'Wrong.', after: grading.summary }],
    });
    expect((await evaluations.show(summary.runId)).cells[0]).toMatchObject({
      ...{ resolved: true, reward: 1, outcome: 'resolved' },
    });
    expect(place.core().result(sessionId).outcome).toBe('verified');
  });
});
