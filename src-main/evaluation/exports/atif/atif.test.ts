import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../lib/index.ts';
import { exportRun } from '../export-run.ts';
import {
  addCell,
  bashTurn,
  BEGUN,
  INFRA,
  lastTurn,
  testRun,
  textTurn,
  TOKENS,
  type TestRun,
} from '../testing.ts';
import { atifSchema, type Atif } from './schema.ts';

let test: TestRun;
let out: string;
beforeEach(() => {
  test = testRun();
  out = path.join(test.folder, 'out');
});
afterEach(() => test.close());

const read = (...parts: string[]) =>
  JSON.parse(readFileSync(path.join(out, ...parts, 'trajectory.json'), 'utf8')) as Atif;

describe('ATIF v1.8', () => {
  it('calls apart: results point to them, nudges are user steps, ids have no gap', async () => {
    const turn = bashTurn('ls', 'a\u202e.py\ud800');
    const nudged = {
      messages: [
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Go on.' },
      ],
      notes: ['empty'],
    } as const;
    addCell(test, {
      ...{ task: 'one', patch: Buffer.from('p') },
      turns: [
        turn,
        { messages: [...nudged.messages], notes: [...nudged.notes] },
        lastTurn('Done.'),
      ],
    });
    const report = await exportRun(test.source(), { format: 'atif', out });
    expect(report).toEqual({ folder: out, files: 1, cells: 1, notes: [] });
    const metrics = {
      ...{ prompt_tokens: 100, completion_tokens: 10, cached_tokens: 50 },
      extra: { model_ms: 400, first_token_ms: 100, tools_ms: 200.5 },
    };
    const at = (seconds: number) => new Date(BEGUN + seconds * 1000).toISOString();
    const trajectory = read('1-frog-x-leaf', 'one', 'seed-0');
    expect(trajectory.steps).toEqual([
      { step_id: 1, timestamp: at(3), source: 'system', message: 'You fix bugs.' },
      { step_id: 2, timestamp: at(3), source: 'user', message: 'Fix it.' },
      {
        ...{ step_id: 3, timestamp: at(4), source: 'agent', message: 'I look.' },
        reasoning_content: 'Hm.',
        tool_calls: [
          { tool_call_id: 'call_1', function_name: 'Bash', arguments: { command: 'ls' } },
        ],
        observation: {
          results: [
            {
              // A hidden character stays; half of a pair is no text.
              ...{ source_call_id: 'call_1', content: 'a\u202e.py\ufffd' },
              extra: { is_error: false, duration_ms: 200.5, exit_code: 0 },
            },
          ],
        },
        ...{ metrics, llm_call_count: 1 },
      },
      {
        ...{ step_id: 4, timestamp: at(5), source: 'agent', message: '', metrics },
        ...{ llm_call_count: 1, extra: { notes: ['empty'] } },
      },
      { step_id: 5, timestamp: at(5), source: 'user', message: 'Go on.' },
      {
        ...{ step_id: 6, timestamp: at(6), source: 'agent', message: 'Done.', metrics },
        llm_call_count: 1,
      },
    ]);
    const { steps: _, ...rest } = trajectory;
    expect(rest).toEqual({
      ...{ schema_version: 'ATIF-v1.8', session_id: 's-one-0-0', trajectory_id: 's-one-0-0.1' },
      agent: {
        ...{ name: 'vivarium-leaf', version: '0.1.0', model_name: 'frog' },
        tool_definitions: [
          {
            type: 'function',
            function: { name: 'Bash', description: 'Runs.', parameters: { type: 'object' } },
          },
        ],
        extra: { scaffold_hash: 'h', engine: 'vllm' },
      },
      final_metrics: {
        ...{ total_prompt_tokens: 300, total_completion_tokens: 30, total_cached_tokens: 150 },
        total_steps: 6,
        extra: {
          model_turns: 3,
          seconds: { model: expect.closeTo(1.2), tools: expect.closeTo(0.6), total: 3, grading: 4 },
        },
      },
      extra: {
        ...{ instance_id: 'one', seed: 0, run_id: 'r1', attempt: 1, exit_reason: 'agent' },
        ...{ state: 'graded', resolved: true, reward: 1, outcome: 'resolved' },
        ...{ ending: 'final_answer', patch_bytes: 1 },
      },
    });
  });

  it('tokens stand with the metrics of their turn, as far as the server gave them', async () => {
    addCell(test, {
      task: 'one',
      turns: [{ ...lastTurn('x'), tokens: sha256(TOKENS) }, lastTurn('y')],
    });
    await exportRun(test.source(), { format: 'atif', out });
    const [first, second] = read('1-frog-x-leaf', 'one', 'seed-0').steps.slice(2);
    expect(first?.metrics).toMatchObject({
      ...{ prompt_token_ids: [5, 6], completion_token_ids: [7], logprobs: [-0.25] },
    });
    expect(second?.metrics).not.toHaveProperty('logprobs');
    expect(second?.metrics).not.toHaveProperty('prompt_token_ids');
  });

  it('calls in the text: the user turn is their observation', async () => {
    addCell(test, { task: 'one', entry: 1, turns: [textTurn('ls', 'a.py\nSteps Remaining: 4')] });
    await exportRun(test.source(), { format: 'atif', out });
    const { steps, agent } = read('2-frog-x-r2egym', 'one', 'seed-0');
    expect(agent.tool_definitions).toBeUndefined();
    expect(steps).toHaveLength(3);
    expect(steps[2]).toMatchObject({
      source: 'agent',
      tool_calls: [
        { tool_call_id: 'call_t', function_name: 'execute_bash', arguments: { cmd: 'ls' } },
      ],
      observation: {
        results: [{ source_call_id: 'call_t', content: 'a.py\nSteps Remaining: 4' }],
      },
    });
  });

  it('arguments that are no JSON stay as they were written; what never began is left out', async () => {
    const call = { id: 'c', name: 'Bash', arguments: '{"command": "l' };
    const messages = [
      { role: 'assistant' as const, content: '', toolCalls: [call] },
      { role: 'tool' as const, toolCallId: 'other', name: 'Bash', content: 'ValueError: x' },
    ];
    addCell(test, { task: 'one', turns: [{ messages }] });
    addCell(test, { task: 'two', opened: false, grading: INFRA, exitReason: 'workspace_lost' });
    const report = await exportRun(test.source(), { format: 'atif', out });
    expect(report.notes).toEqual([
      'left out: two (frog x leaf, seed 0): it ended before its first message',
    ]);
    expect(read('1-frog-x-leaf', 'one', 'seed-0').steps[2]).toMatchObject({
      tool_calls: [{ arguments: {}, extra: { raw_arguments: '{"command": "l' } }],
      // The result names no call of the step, so it names none.
      observation: { results: [{ content: 'ValueError: x' }] },
    });
  });

  it.each<[string, (trajectory: Record<string, unknown>, steps: Atif['steps']) => unknown]>([
    ['an unknown member', (trajectory) => (trajectory['model'] = 'frog')],
    ['an unknown member of a step', (_, [step]) => Object.assign(step ?? {}, { role: 'x' })],
    ['a gap', (_, steps) => steps.splice(1, 1)],
    ['an agent’s member elsewhere', (_, [step]) => Object.assign(step ?? {}, { tool_calls: [] })],
    [
      'a result of a call that is not there',
      (_, steps) =>
        Object.assign(steps[2] ?? {}, {
          observation: { results: [{ source_call_id: 'nowhere', content: '' }] },
        }),
    ],
    ['no step', (_, steps) => steps.splice(0)],
    ['another version', (trajectory) => (trajectory['schema_version'] = 'ATIF-v1.7')],
  ])('our own check refuses %s', async (_, spoil) => {
    addCell(test, { task: 'one', turns: [bashTurn('ls', 'x')] });
    await exportRun(test.source(), { format: 'atif', out });
    const trajectory = read('1-frog-x-leaf', 'one', 'seed-0');
    expect(atifSchema.safeParse(trajectory).success).toBe(true);
    spoil(trajectory, trajectory.steps);
    expect(atifSchema.safeParse(trajectory).success).toBe(false);
  });
});
