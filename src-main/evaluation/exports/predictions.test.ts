import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from './export-run.ts';
import { addCell, bashTurn, INFRA, lastTurn, testRun, textTurn, type TestRun } from './testing.ts';

const CRLF = Buffer.from('--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-x\r\n+y\u2028\r\n');
const LATIN = Buffer.from('--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+caf\xe9\n', 'latin1');
const LOST = 'it is not UTF-8, JSON cannot hold it';

let test: TestRun;
let out: string;
beforeEach(() => {
  const tasks = ['a', 'crlf', 'empty', 'infra', 'latin'].map((name) => ({ name, hash: 'h' }));
  test = testRun({ tasks, seeds: [0, 7] });
  out = path.join(test.folder, 'out');
  addCell(test, { task: 'crlf', patch: CRLF, turns: [bashTurn('ls', 'a.py'), lastTurn('Done.')] });
  addCell(test, { task: 'empty', exitReason: 'max_turns' });
  addCell(test, { task: 'infra', grading: INFRA, exitReason: 'workspace_lost' });
  addCell(test, { task: 'latin', patch: LATIN });
  addCell(test, { task: 'a', grading: null, exitReason: 'interrupted' });
  addCell(test, { task: 'crlf', seed: 7 });
  addCell(test, { task: 'crlf', entry: 1, turns: [textTurn('ls', 'a.py')], patch: CRLF });
});
afterEach(() => test.close());

const read = (...parts: string[]) => readFileSync(path.join(out, ...parts));
const json = (...parts: string[]) => JSON.parse(read(...parts).toString()) as unknown;

describe('swe-bench', () => {
  it('a file for each entry and seed: nothing changed, nothing known, not ended', async () => {
    const report = await exportRun(test.source(), { format: 'swe-bench', out });
    const row = (instance_id: string, model_patch: string | null) => ({
      ...{ instance_id, model_name_or_path: 'frog x leaf', model_patch },
    });
    const rows = [
      row('crlf', CRLF.toString()),
      row('empty', ''),
      row('infra', null),
      row('latin', null),
    ];
    expect(json('1-frog-x-leaf.seed-0.json')).toEqual(rows);
    const lines = read('1-frog-x-leaf.seed-0.jsonl').toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
    expect(json('1-frog-x-leaf.seed-7.json')).toEqual([row('crlf', '')]);
    expect(json('2-frog-x-r2egym.seed-7.json')).toEqual([]);
    expect(read('2-frog-x-r2egym.seed-7.jsonl').length).toBe(0);
    expect(read('patches', '1-frog-x-leaf.seed-0', 'latin.patch').equals(LATIN)).toBe(true);
    expect(report).toEqual({
      ...{ folder: out, files: 9, cells: 6 },
      notes: [
        'left out: a (frog x leaf, seed 0): it has not ended (interrupted)',
        'no patch: infra (frog x leaf, seed 0): nothing is known of the model',
        `no patch: latin (frog x leaf, seed 0): ${LOST}; see patches/1-frog-x-leaf.seed-0/latin.patch`,
      ],
    });
  });
});

describe('mini-swe-agent', () => {
  it('preds.json and a trajectory for each id', async () => {
    const report = await exportRun(test.source(), { format: 'mini-swe-agent', out });
    expect(report.notes).toEqual([`no patch: latin (frog x leaf, seed 0): ${LOST}`]);
    expect(readdirSync(path.join(out, '1-frog-x-leaf')).toSorted()).toEqual(['seed-0', 'seed-7']);
    const place = ['1-frog-x-leaf', 'seed-0'];
    expect(json(...place, 'preds.json')).toEqual(
      Object.fromEntries(
        [
          ['a', ''],
          ['crlf', CRLF.toString()],
          ['empty', ''],
          ['infra', ''],
          ['latin', null],
        ].map(([id, patch]) => [
          id,
          { model_name_or_path: 'frog', instance_id: id, model_patch: patch },
        ]),
      ),
    );
    expect(json('2-frog-x-r2egym', 'seed-7', 'preds.json')).toEqual({});
    expect(json(...place, 'crlf', 'crlf.traj.json')).toMatchObject({
      ...{ trajectory_format: 'mini-swe-agent-1.1', instance_id: 'crlf' },
      info: {
        model_stats: { instance_cost: 0, api_calls: 2 },
        ...{ exit_status: 'Submitted', submission: CRLF.toString() },
      },
      messages: [
        { role: 'system', content: 'You fix bugs.' },
        { role: 'user', content: 'Fix it.' },
        {
          ...{ role: 'assistant', content: 'I look.', reasoning_content: 'Hm.' },
          tool_calls: [{ id: 'call_1', function: { name: 'Bash' } }],
          extra: {
            actions: [{ command: 'ls', tool: 'Bash', arguments: { command: 'ls' } }],
            response: { model: 'frog', usage: { prompt_tokens: 100, completion_tokens: 10 } },
          },
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a.py', extra: { returncode: 0 } },
        { role: 'assistant', content: 'Done.', extra: { actions: [] } },
        { role: 'exit', content: 'Done.', extra: { exit_status: 'Submitted' } },
      ],
    });
    expect(json(...place, 'empty', 'empty.traj.json')).toMatchObject({
      info: { exit_status: 'LimitsExceeded', submission: '' },
    });
    const inText = json('2-frog-x-r2egym', 'seed-0', 'crlf', 'crlf.traj.json');
    expect(inText).toMatchObject({
      messages: [
        {},
        {},
        {
          role: 'assistant',
          extra: { actions: [{ command: 'ls', tool: 'execute_bash', arguments: { cmd: 'ls' } }] },
        },
        { role: 'user', content: 'a.py', extra: { returncode: null } },
        { role: 'exit' },
      ],
    });
  });
});
