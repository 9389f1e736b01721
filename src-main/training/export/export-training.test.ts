import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addCell,
  bashTurn,
  INFRA,
  lastTurn,
  testRun,
  textTurn,
  type TestRun,
} from '../../../test/support/recorded-run.ts';
import { exportTraining } from './export-training.ts';
import type { TrainRequest } from './types.ts';

let run: TestRun;
let out: string;
beforeEach(() => {
  run = testRun({ seeds: [0, 1, 2] });
  out = path.join(run.folder, 'out');
});
afterEach(() => run.close());

const exported = (more: Partial<TrainRequest> = {}) =>
  exportTraining([run.source()], { format: 'sharegpt', out, ...more });
const text = (name: string) => readFileSync(path.join(out, name), 'utf8');
const lines = (name: string) =>
  text(name)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const BASH = {
  type: 'function',
  function: { name: 'Bash', description: 'Runs.', parameters: { type: 'object' } },
};
const turns = [bashTurn('ls', 'a.py'), lastTurn('Done.')];

test('sharegpt: native calls are function_call and observation, told in dataset_info.json', async () => {
  addCell(run, { task: 'one', turns });
  expect(await exported()).toEqual({
    folder: out,
    rows: { train: 1, validation: 0 },
    tasks: { train: 1, validation: 0 },
    leftOut: [],
    notes: ['text beside calls has no place in this form and is left out; replies: 1'],
  });
  expect(lines('train.jsonl')).toEqual([
    {
      conversations: [
        { from: 'human', value: 'Fix it.' },
        {
          from: 'function_call',
          value: '<think>\nHm.\n</think>\n\n{"name":"Bash","arguments":{"command":"ls"}}',
        },
        { from: 'observation', value: 'a.py' },
        { from: 'gpt', value: 'Done.' },
      ],
      system: 'You fix bugs.',
      tools: JSON.stringify([BASH]),
    },
  ]);
  expect(JSON.parse(text('dataset_info.json'))).toEqual({
    vivarium_train: {
      ...{ file_name: 'train.jsonl', formatting: 'sharegpt' },
      columns: { messages: 'conversations', system: 'system', tools: 'tools' },
    },
  });
  expect(lines('rows.jsonl')).toEqual([
    {
      file: 'train.jsonl',
      attempts: [
        {
          ...{ run: 'r1', session: 's-one-0-0', task: 'one', entry: 'frog x leaf', seed: 0 },
          solved: true,
        },
      ],
    },
  ]);
});

test('sharegpt: calls in the text stay there, and what follows the last reply is cut', async () => {
  addCell(run, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py'), textTurn('cat', 'x')] });
  await exported();
  const call = (cmd: string) =>
    `I look.\n\n<function=execute_bash>\n  <parameter=cmd>${cmd}</parameter>\n</function>`;
  expect(lines('train.jsonl')).toEqual([
    {
      conversations: [
        { from: 'human', value: 'Fix it.' },
        { from: 'gpt', value: call('ls') },
        { from: 'human', value: 'a.py' },
        { from: 'gpt', value: call('cat') },
      ],
      ...{ system: 'You fix bugs.', tools: '' },
    },
  ]);
});

test('sharegpt: results of several calls are one observation', async () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: 'Bash', arguments: '{"command":"ls"}' }));
  const both = {
    messages: [
      { role: 'assistant' as const, content: '', toolCalls: calls },
      { role: 'tool' as const, toolCallId: 'a', name: 'Bash', content: 'A' },
      { role: 'tool' as const, toolCallId: 'b', name: 'Bash', content: 'B' },
    ],
  };
  addCell(run, { task: 'one', turns: [both, lastTurn('Done.')] });
  await exported();
  const call = '{"name":"Bash","arguments":{"command":"ls"}}';
  expect(lines('train.jsonl')[0]?.['conversations']).toEqual([
    { from: 'human', value: 'Fix it.' },
    { from: 'function_call', value: `[${call},${call}]` },
    { from: 'observation', value: 'A\n</tool_response>\n<tool_response>\nB' },
    { from: 'gpt', value: 'Done.' },
  ]);
});

test('openai: messages as the model wrote them', async () => {
  addCell(run, { task: 'one', turns });
  await exported({ format: 'openai' });
  const fn = { name: 'Bash', arguments: '{"command":"ls"}' };
  expect(lines('train.jsonl')).toEqual([
    {
      messages: [
        { role: 'system', content: 'You fix bugs.' },
        { role: 'user', content: 'Fix it.' },
        {
          ...{ role: 'assistant', content: 'I look.', reasoning_content: 'Hm.' },
          tool_calls: [{ id: 'call_1', type: 'function', function: fn }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a.py' },
        { role: 'assistant', content: 'Done.' },
      ],
      tools: [BASH],
    },
  ]);
});

test('hostile text: lines stay lines, half characters are replaced, marks do not end a thought', async () => {
  const hostile = 'a\u2028b\u0085c\nd\u0000\u001b[31m\ud800 \u202e<|im_end|>';
  const turn = bashTurn('ls', hostile);
  const [reply, result] = turn.messages ?? [];
  if (reply?.role !== 'assistant' || result === undefined) throw new Error('no turn');
  const messages = [{ ...reply, reasoning: 'a</think>[]' }, result];
  addCell(run, { task: 'one', turns: [{ ...turn, messages }, lastTurn('Done.')] });
  await exported();
  expect(text('train.jsonl').split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(2);
  const [, call, seen] = (lines('train.jsonl')[0]?.['conversations'] ?? []) as { value: string }[];
  expect(call?.value).toBe('{"name":"Bash","arguments":{"command":"ls"}}');
  expect(seen?.value).toBe('a\u2028b\u0085c\nd\u0000\u001b[31m\ufffd \u202e<|im_end|>');
});

test('sharegpt: marks of calls in a call are escaped, since its reader would stop at them', async () => {
  const [reply, result] = bashTurn('', 'x').messages ?? [];
  if (reply?.role !== 'assistant' || result === undefined) throw new Error('no turn');
  const call = { id: 'c', name: 'Bash', arguments: '{"command":"<tool_call>a</tool_call>"}' };
  const said = { ...reply, reasoning: '</tool_call>', toolCalls: [call] };
  addCell(run, { task: 'one', turns: [{ messages: [said, result] }, lastTurn('Done.')] });
  await exported();
  const [, turn] = (lines('train.jsonl')[0]?.['conversations'] ?? []) as { value: string }[];
  expect(turn?.value).toBe(
    String.raw`{"name":"Bash","arguments":{"command":"\u003ctool_call>a\u003c/tool_call>"}}`,
  );
});

test('filters: what is in no row is counted by why', async () => {
  const failed = { resolved: false, reward: 0 };
  const broken = bashTurn('ls', 'x');
  const [reply] = broken.messages ?? [];
  if (reply?.role !== 'assistant') throw new Error('no turn');
  const call = { id: 'c', name: 'Bash', arguments: '{"command"' };
  addCell(run, { task: 'one', turns });
  addCell(run, { task: 'one', seed: 1, turns });
  addCell(run, { task: 'one', seed: 2, turns: [lastTurn('Other.')] });
  addCell(run, { task: 'two', turns, grading: failed });
  addCell(run, { task: 'two', seed: 1, turns, grading: INFRA, exitReason: 'workspace_lost' });
  addCell(run, { task: 'two', seed: 2, turns: [{ messages: [{ ...reply, toolCalls: [call] }] }] });
  addCell(run, { task: 'one', entry: 1, turns: [] });
  const cheat = { kind: 'history_searched' as const, step: 1, evidence: 'git log' };
  addCell(run, { task: 'two', entry: 1, turns });
  const source = run.source();
  const cells = source.cells.map((cell) =>
    cell.task === 'two' && cell.entry === 1 ? { ...cell, suspicions: [cheat] } : cell,
  );
  const report = await exportTraining([{ ...source, cells }], {
    ...{ format: 'sharegpt', out, filters: { cap: 1 } },
  });
  expect(report.rows).toEqual({ train: 1, validation: 0 });
  expect(Object.fromEntries(report.leftOut.map((one) => [one.reason, one.attempts]))).toEqual({
    ...{ duplicate: 1, 'over the cap of its task': 1, 'not solved': 1, 'no verdict': 1 },
    ...{ suspicious: 1, 'the model said nothing': 1 },
    'a call whose arguments are no JSON object': 1,
  });
});

test('an attempt that is all the beginning of another is left out, unless that one is', async () => {
  addCell(run, { task: 'one', turns: [bashTurn('ls', 'a.py'), lastTurn('Done.')] });
  addCell(run, {
    ...{ task: 'one', seed: 1 },
    turns: [bashTurn('ls', 'a.py'), lastTurn('Done.'), lastTurn('And more.')],
  });
  // The same words of another task are no copy.
  addCell(run, { task: 'two', turns: [bashTurn('ls', 'a.py')] });
  const copied = { reason: "all of it is the beginning of another attempt's", attempts: 1 };
  const report = await exported();
  expect([report.rows.train, report.leftOut]).toEqual([2, [copied]]);
  expect(lines('rows.jsonl')).toMatchObject([
    { attempts: [{ session: 's-one-0-1' }] },
    { attempts: [{ session: 's-two-0-0' }] },
  ]);
  rmSync(out, { recursive: true });
  const short = await exported({ filters: { maxMessages: 5 } });
  expect([short.rows.train, short.leftOut]).toEqual([
    ...[2, [{ reason: 'too many messages', attempts: 1 }]],
  ]);
});

test('filters by entry, seed and length', async () => {
  addCell(run, { task: 'one', turns });
  addCell(run, { task: 'one', seed: 1, turns: [lastTurn('Other.')] });
  addCell(run, { task: 'two', seed: 1, turns: [...turns, lastTurn('More.')] });
  addCell(run, { task: 'one', entry: 1, seed: 1, turns: [textTurn('ls', 'a')] });
  const filters = { entries: [1], seeds: [1], maxMessages: 5 };
  const { rows, leftOut } = await exported({ filters });
  expect(rows.train).toBe(1);
  expect(leftOut).toEqual([
    { reason: 'of another seed', attempts: 1 },
    { reason: 'of another entry', attempts: 1 },
    { reason: 'too many messages', attempts: 1 },
  ]);
});

test('nothing left: one line says why and what to do, and no file stays', async () => {
  addCell(run, { task: 'one', turns, grading: { resolved: false, reward: 0 } });
  await expect(exported()).rejects.toMatchObject({
    code: 'nothing_to_export',
    message: 'no attempt is left for a row: 1 not solved',
    next: 'Loosen the filters, or name runs with more attempts.',
  });
  expect(existsSync(out)).toBe(false);
});

test('whole tasks are held out', async () => {
  for (const seed of [0, 1]) {
    for (const task of ['one', 'two'])
      addCell(run, { task, seed, turns: [lastTurn(`${task} ${seed}`)] });
  }
  // Of these two tasks, seed 1 draws one.
  const report = await exported({ validation: 0.5, splitSeed: 1 });
  expect(report.rows).toEqual({ train: 2, validation: 2 });
  expect(report.tasks).toEqual({ train: 1, validation: 1 });
  expect(readdirSync(out).toSorted()).toEqual([
    ...['dataset_info.json', 'rows.jsonl', 'train.jsonl', 'validation.jsonl'],
  ]);
});
