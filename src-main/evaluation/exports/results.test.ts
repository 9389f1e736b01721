import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from './export-run.ts';
import { thoughtAndAction } from './r2egym-trajectory.ts';
import { addCell, bashTurn, INFRA, lastTurn, testRun, textTurn, type TestRun } from './testing.ts';

const CRLF = Buffer.from('--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-x\r\n+y\u202e\r\n');
const LATIN = Buffer.from('--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+caf\xe9\n', 'latin1');

let test: TestRun;
let out: string;
beforeEach(() => {
  test = testRun();
  out = path.join(test.folder, 'out', 'deep');
});
afterEach(() => test.close());

const read = (...parts: string[]) => readFileSync(path.join(out, ...parts));
const json = (...parts: string[]) => JSON.parse(read(...parts).toString()) as unknown;
const lines = (...parts: string[]) =>
  read(...parts)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const files = () =>
  readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)))
    .toSorted();

describe('results', () => {
  it('a folder of Leaf’s form for each entry; patches to the byte', async () => {
    addCell(test, { task: 'one', patch: CRLF, turns: [bashTurn('ls', 'a.py'), lastTurn('Done.')] });
    addCell(test, { task: 'two', patch: LATIN, grading: { resolved: false, reward: 0 } });
    addCell(test, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py\nSteps Remaining: 4')] });
    const report = await exportRun(test.source(), { format: 'results', out });
    expect(report).toEqual({ folder: out, files: 11, cells: 3, notes: [] });
    expect(files()).toEqual(
      [
        '1-frog-x-leaf/config.json',
        '1-frog-x-leaf/results.jsonl',
        '1-frog-x-leaf/summary.json',
        '1-frog-x-leaf/trajectories/one/generated_seed-0.patch',
        '1-frog-x-leaf/trajectories/one/trajectory_seed-0.json',
        '1-frog-x-leaf/trajectories/two/generated_seed-0.patch',
        '1-frog-x-leaf/trajectories/two/trajectory_seed-0.json',
        '2-frog-x-r2egym/config.json',
        '2-frog-x-r2egym/results.jsonl',
        '2-frog-x-r2egym/summary.json',
        '2-frog-x-r2egym/trajectories/one/trajectory_seed-0.json',
      ].toSorted(),
    );
    const place = ['1-frog-x-leaf', 'trajectories'];
    expect(read(...place, 'one', 'generated_seed-0.patch').equals(CRLF)).toBe(true);
    expect(read(...place, 'two', 'generated_seed-0.patch').equals(LATIN)).toBe(true);
    expect(json(...place, 'one', 'trajectory_seed-0.json')).toMatchObject({
      ...{ trajectory_format: 'leaf-function-calling', instance_id: 'one', seed: 0, n_steps: 2 },
      ...{ output_patch: CRLF.toString(), reward: 1, attempt: 1, exit_reason: 'agent' },
      // The log was Latin-1.
      test_output: '1 passed\ncaf\ufffd\n',
      steps: [
        { step: 1, observations: [{ tool: 'Bash', observation: 'a.py' }] },
        { step: 2, observations: [] },
      ],
    });
    expect(lines('1-frog-x-leaf', 'results.jsonl')).toMatchObject([
      {
        ...{ instance_id: 'one', seed: 0, attempt: 1, status: 'completed', reward: 1 },
        ...{ exit_reason: 'agent', source: 'set' },
        trajectory: 'trajectories/one/trajectory_seed-0.json',
        vivarium: { entry: 'frog x leaf', outcome: 'resolved', steps: 2 },
      },
      { instance_id: 'two', status: 'completed', reward: 0, vivarium: { resolved: false } },
    ]);
    expect(json('1-frog-x-leaf', 'config.json')).toMatchObject({
      ...{ format: 'vivarium-run-1', runId: 'r1', name: 'set', tasksHash: 'th', seeds: [0] },
      entry: { label: 'frog x leaf' },
    });
    expect(read('1-frog-x-leaf', 'config.json').includes('pid of the test')).toBe(false);
  });

  it('infra, a cell without an attempt and one that never began: no reward, never a 0', async () => {
    addCell(test, { task: 'one', grading: INFRA, exitReason: 'workspace_lost' });
    const sessionId = addUnstarted(test, 'two');
    await exportRun(test.source(), { format: 'results', out });
    const rows = lines('1-frog-x-leaf', 'results.jsonl');
    expect(rows).toMatchObject([
      {
        ...{ instance_id: 'one', status: 'failed', reward: null },
        error: 'container_unavailable: gone',
      },
      {
        ...{ instance_id: 'two', attempt: 0, status: 'failed', reward: null, trajectory: null },
        ...{ exit_reason: null, vivarium: { session: sessionId, state: 'infra' } },
      },
    ]);
    expect(json('1-frog-x-leaf', 'summary.json')).toMatchObject({
      ...{ dataset: 'set', tasks_selected: 2, jobs_total: 2, jobs_recorded: 2, jobs_completed: 0 },
      ...{ jobs_failed: 2, resolved: 0, resolve_rate: 0, error_rate: 1, duration_sec: null },
      vivarium: { statistics: { runs: { valid: 0, infra: 2 } } },
    });
    expect(json('2-frog-x-r2egym', 'summary.json')).toMatchObject({ jobs_recorded: 0 });
    expect(read('2-frog-x-r2egym', 'results.jsonl').length).toBe(0);
  });

  it('L10 an attempt with calls in its text in R2E-Gym’s form, one line', async () => {
    const nested =
      'cat <<E\n\n<function=search>\n  <parameter=search_term>x</parameter>\n</function>\nE';
    addCell(test, {
      ...{ task: 'one', entry: 1, patch: CRLF, exitReason: 'agent' },
      turns: [
        textTurn(nested, 'Exit code: 0'),
        lastTurn('Done.\n\n<function=finish>\n</function>'),
      ],
    });
    await exportRun(test.source(), { format: 'results', out });
    const file = ['2-frog-x-r2egym', 'trajectories', 'one', 'trajectory_seed-0.json'];
    const [line, ...more] = lines(...file);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      ...{ problem_statement: 'Fix one.', docker_image: 'sha256:1', exp_name: 'set' },
      ...{ max_steps: 5, max_token_limit: 1000, max_total_time: 60, exit_reason: 'agent' },
      ...{ output_patch: CRLF.toString(), reward: 1, total_context: 110 },
      trajectory_steps: [
        {
          ...{ step_idx: 0, thought: 'I look.', observation: 'Exit code: 0', done: false },
          action: `<function=execute_bash>\n  <parameter=cmd>${nested}</parameter>\n</function>`,
          ...{ token_usage_prompt: 100, token_usage_completion: 10, token_usage_total: 110 },
          ...{ llm_exec_time: 0.4, env_exec_time: 0.2005, step_count: 1 },
        },
        {
          ...{ step_idx: 1, thought: 'Done.', action: '<function=finish>\n</function>' },
          ...{ observation: '<<< Finished >>>', done: true, step_count: 2, total_time_traj: 1.204 },
        },
      ],
    });
  });

  it('one entry needs no folder of its own', async () => {
    const alone = testRun({ entries: test.source().created.entries.slice(0, 1) });
    try {
      addCell(alone, { task: 'one' });
      await exportRun(alone.source(), { format: 'results', out });
      expect(files()).toEqual([
        'config.json',
        'results.jsonl',
        'summary.json',
        'trajectories/one/trajectory_seed-0.json',
      ]);
    } finally {
      alone.close();
    }
  });
});

it('a turn is cut into thought and call where what was run begins', () => {
  expect(thoughtAndAction('I am done.', undefined)).toEqual({ thought: 'I am done.', action: '' });
  expect(thoughtAndAction('\n\n<function=>\n</function>', undefined)).toEqual({
    ...{ thought: '', action: '<function=>\n</function>' },
  });
});

/** A cell whose session ended before an attempt began. */
function addUnstarted({ store }: TestRun, task: string): string {
  const sessionId = addSession(store, task);
  const ending = { outcome: 'failed', attemptId: null, detail: 'no image' } as const;
  store.append({ sessionId, attemptId: null, body: { type: 'session.finished', ...ending } });
  return sessionId;
}

function addSession(store: TestRun['store'], task: string): string {
  const sessionId = `s-${task}`;
  const cell = { runId: 'r1', task, taskHash: `hash of ${task}`, entry: 0, seed: 0 };
  store.append({
    ...{ sessionId, attemptId: null },
    body: {
      ...{ type: 'session.created', repository: '/r', title: task, issue: 'Fix.', request: {} },
      model: {
        ...{ engine: 'vllm', name: 'frog', spec: 'frog', contextTokens: 1, sha256: null },
        details: {},
      },
      scaffold: { name: 'leaf', hash: 'h', file: null },
      limits: { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 },
      ...{ owner: 'me', cell },
    },
  });
  return sessionId;
}
