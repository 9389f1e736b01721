import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addCell,
  bashTurn,
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
  run = testRun({ seeds: [0, 1, 2, 3] });
  out = path.join(run.folder, 'out');
});
afterEach(() => run.close());

const exported = (more: Partial<TrainRequest>) =>
  exportTraining([run.source()], { format: 'preference', out, ...more });
const lines = (name: string) =>
  readFileSync(path.join(out, name), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const FAILED = { resolved: false, reward: 0 };
const PROMPT = [
  { role: 'system', content: 'You fix bugs.' },
  { role: 'user', content: 'Fix it.' },
];
const TOOLS = [
  {
    type: 'function',
    function: { name: 'Bash', description: 'Runs.', parameters: { type: 'object' } },
  },
];
const said = (content: string) => [{ role: 'assistant', content }];

test('trl: arguments are objects, results know their tool, tools can be text', async () => {
  addCell(run, { task: 'one', turns: [bashTurn('ls', 'a.py'), lastTurn('Done.')] });
  await exported({ format: 'trl', toolsAsText: true });
  const fn = { name: 'Bash', arguments: { command: 'ls' } };
  expect(lines('train.jsonl')).toEqual([
    {
      messages: [
        ...PROMPT,
        {
          ...{ role: 'assistant', content: 'I look.', reasoning_content: 'Hm.' },
          tool_calls: [{ id: 'call_1', type: 'function', function: fn }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a.py', name: 'Bash' },
        { role: 'assistant', content: 'Done.' },
      ],
      tools: JSON.stringify(TOOLS),
    },
  ]);
  expect(existsSync(path.join(out, 'dataset_info.json'))).toBe(false);
});

test('preference: solved against unsolved of the same task and prompt, each in one pair', async () => {
  addCell(run, { task: 'one', turns: [lastTurn('Good.')] });
  addCell(run, { task: 'one', seed: 1, turns: [lastTurn('Bad.')], grading: FAILED });
  addCell(run, { task: 'one', seed: 2, turns: [lastTurn('Worse.')], grading: FAILED });
  // Another prompt: no counterpart. Another task: neither.
  addCell(run, { task: 'one', entry: 1, turns: [textTurn('ls', 'a')], grading: FAILED });
  addCell(run, { task: 'two', turns: [lastTurn('Fine.')] });
  const report = await exported({});
  expect(lines('train.jsonl')).toEqual([
    { prompt: PROMPT, chosen: said('Good.'), rejected: said('Bad.'), tools: TOOLS },
  ]);
  expect(report.rows).toEqual({ train: 1, validation: 0 });
  expect(report.leftOut).toEqual([
    { reason: 'no counterpart of the same task and prompt', attempts: 3 },
  ]);
  const [row] = lines('rows.jsonl');
  expect(row).toMatchObject({ attempts: [{ session: 's-one-0-0' }, { session: 's-one-0-1' }] });
});

test('preference: pairs over the cap are counted', async () => {
  for (const seed of [0, 1]) addCell(run, { task: 'one', seed, turns: [lastTurn(`+${seed}`)] });
  for (const seed of [2, 3])
    addCell(run, { task: 'one', seed, turns: [lastTurn(`-${seed}`)], grading: FAILED });
  const report = await exported({ filters: { cap: 1 } });
  expect(report.rows.train).toBe(1);
  expect(report.leftOut).toEqual([{ reason: 'over the cap of its task', attempts: 2 }]);
});

test('preference without pairs: a label for each attempt', async () => {
  addCell(run, { task: 'one', turns: [lastTurn('Good.')] });
  addCell(run, { task: 'two', turns: [lastTurn('Bad.')], grading: FAILED });
  await exported({ unpaired: true });
  expect(lines('train.jsonl')).toEqual([
    { prompt: PROMPT, completion: said('Good.'), label: true, tools: TOOLS },
    { prompt: PROMPT, completion: said('Bad.'), label: false, tools: TOOLS },
  ]);
});
