import { expect, onTestFinished, test } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import { LOOP_NUDGE } from './loop-guard.ts';
import { history, run, TOOLS } from './testing/run.ts';
import { call, recorder, scriptedModel, stubScaffold, type Tool } from './testing/stubs.ts';

const usage = (prompt_tokens: number, completion_tokens: number, cached_tokens?: number) => ({
  usage: {
    prompt_tokens,
    completion_tokens,
    ...(cached_tokens === undefined ? {} : { cached_tokens }),
  },
});

test('calls, then a final answer: recorded step by step, usage summed', async () => {
  const { outcome, recorded } = await run({
    lines: [
      call('Read', { file_path: 'a.py' }, { content: 'Look.', ...usage(100, 10, 0) }),
      { content: 'Done.', ...usage(150, 5, 100) },
    ],
  });
  expect(outcome).toMatchObject({
    exitReason: 'agent',
    detail: null,
    steps: 2,
    finalMessage: 'Done.',
    usage: { promptTokens: 250, completionTokens: 15, cachedTokens: 100 },
  });
  expect(recorded.openings.length).toBe(1);
  expect(recorded.steps.map((step) => step.step)).toEqual([1, 2]);
  expect(history(recorded)).toEqual(['assistant: Look.', 'tool: text of a.py', 'assistant: Done.']);
  expect(recorded.steps[0]?.calls).toEqual([
    { id: 'call_0_0', name: 'Read', arguments: '{"file_path":"a.py"}' },
  ]);
  expect(recorded.activities.filter(({ kind }) => kind === 'tool')).toEqual([
    { kind: 'tool', step: 1, name: 'Read', summary: 'a.py' },
  ]);
});

test('usage stays null when the server never says', async () => {
  const { outcome } = await run({ lines: [{ content: 'Done.' }] });
  expect(outcome.usage).toEqual({ promptTokens: null, completionTokens: null, cachedTokens: null });
});

test('L03 empty replies: two nudges, then empty_reply', async () => {
  const { outcome, recorded } = await run({
    lines: [{ content: '' }, { reasoning_content: 'only thoughts' }, { content: ' \n' }],
  });
  expect([outcome.exitReason, outcome.steps, outcome.finalMessage]).toEqual([
    'empty_reply',
    3,
    null,
  ]);
  expect(history(recorded)).toEqual([
    'assistant: ',
    'user: empty',
    'assistant: ',
    'user: empty',
    'assistant:  \n',
  ]);
});

test('L03 a good turn in between starts the count anew', async () => {
  const empty = { content: '' };
  const good = (file: string) => call('Read', { file_path: file });
  const { outcome } = await run({
    lines: [empty, empty, good('a'), empty, empty, good('b'), { content: 'Done.' }],
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['agent', 7]);
});

test('unreadable calls in the text: two nudges, then format_error', async () => {
  const broken = { content: '<broken call' };
  const { outcome } = await run({ lines: [broken, broken, broken] });
  expect([outcome.exitReason, outcome.steps]).toEqual(['format_error', 3]);
});

test('L01 calls whose arguments are never JSON: answered each time, then format_error', async () => {
  const { outcome, recorded } = await run({
    lines: [1, 2, 3, 4, 5].map((n) => call('Bash', `{"command": "ls ${String(n)}`)),
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['format_error', 5]);
  expect(recorded.steps.map((step) => step.observations[0]?.text)).toEqual(
    Array.from({ length: 5 }, () => 'not JSON'),
  );
});

test('L04 cut once: told; cut twice in a row: max_tokens_per_turn', async () => {
  const cut = call('Bash', '{"command": "cat', { finish_reason: 'length' });
  const ran: string[] = [];
  const Bash: Tool = ({ arguments: given }) => {
    ran.push(String(given['command']));
    return 'ok';
  };
  const once = await run({
    lines: [cut, call('Bash', { command: 'ls' }), cut, { content: 'x' }],
    tools: { Bash },
  });
  expect([once.outcome.exitReason, ran]).toEqual(['agent', ['ls']]);
  expect(history(once.recorded).slice(0, 2)).toEqual(['assistant: ', 'user: cut']);
  const twice = await run({ lines: [cut, cut], tools: { Bash } });
  expect([twice.outcome.exitReason, twice.outcome.steps, ran]).toEqual([
    'max_tokens_per_turn',
    2,
    ['ls'],
  ]);
});

test('L05 the same call with the same result: nudged after 4, ended after 6', async () => {
  const same = call('Read', { file_path: 'a' });
  const { outcome, recorded } = await run({ lines: Array.from({ length: 8 }, () => same) });
  expect([outcome.exitReason, outcome.steps]).toEqual(['loop', 6]);
  const nudged = recorded.steps.filter((step) => step.messages.at(-1)?.content === LOOP_NUDGE);
  expect(nudged.map((step) => step.step)).toEqual([4]);
});

test('L05 A/B/A/B: nudged after 4, ended after 6', async () => {
  const a = call('Read', { file_path: 'a' });
  const b = call('Read', { file_path: 'b' });
  const { outcome, recorded } = await run({ lines: [a, b, a, b, a, b, a, b] });
  expect([outcome.exitReason, outcome.steps]).toEqual(['loop', 6]);
  expect(recorded.steps[3]?.messages.at(-1)).toEqual({ role: 'user', content: LOOP_NUDGE });
});

test('L06 five calls in one turn, the third fails: all answered in order', async () => {
  const one = (n: number) => ({
    name: n === 3 ? 'Nope' : 'Read',
    arguments: { file_path: String(n) },
  });
  const { outcome, recorded } = await run({
    lines: [{ tool_calls: [1, 2, 3, 4, 5].map(one) }, { content: 'Done.' }],
  });
  expect(outcome.exitReason).toBe('agent');
  expect(recorded.steps[0]?.messages.slice(1)).toEqual(
    ['text of 1', 'text of 2', 'Unknown tool: Nope', 'text of 4', 'text of 5'].map(
      (content, at) => ({
        role: 'tool',
        toolCallId: `call_0_${String(at)}`,
        name: at === 2 ? 'Nope' : 'Read',
        content,
      }),
    ),
  );
});

test('L08 the real window counts: replies are clamped to it, and a full one ends the attempt', async () => {
  const { outcome, recorded } = await run({
    lines: [
      { script: { context_tokens: 2000 } },
      call('Read', { file_path: 'a' }, usage(1200, 100)),
      call('Read', { file_path: 'b' }, usage(1850, 120)),
      { content: 'never' },
    ],
  });
  expect(outcome).toMatchObject({
    exitReason: 'max_context_len',
    detail: 'the server counted 1970 tokens of a window of 2000',
    steps: 2,
  });
  // 2000 - 1300 = 700 was asked for; the server left 150 and the client took 8 less.
  expect(recorded.steps[1]?.retries).toEqual([
    "400: This model's maximum context length is 2000 tokens. However, you requested 2550 tokens (1850 in the messages, 700 in the completion).",
  ]);
});

test('L08 a prompt the server refuses as too large ends as max_context_len', async () => {
  const { outcome } = await run({
    lines: [{ script: { context_tokens: 2000 } }, { content: 'x', ...usage(2100, 1) }],
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_context_len', 0]);
  expect(outcome.detail).toMatch(/^400: This model's maximum context length is 2000 tokens/);
});

test('L08 the limit of the request counts where it is smaller than the window', async () => {
  const { outcome } = await run({
    lines: [call('Read', { file_path: 'a' }, usage(950, 20)), { content: 'never' }],
    limits: { maxContextTokens: 1000 },
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_context_len', 1]);
});

test('L08 L04 replies cut by the end of the window are not blamed on the turn', async () => {
  const cut = (prompt: number, n: number) => ({
    content: 'a',
    finish_reason: 'length',
    ...usage(prompt, n),
  });
  const { outcome } = await run({
    lines: [{ script: { context_tokens: 2000 } }, cut(500, 1000), cut(1510, 450)],
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_context_len', 2]);
});

test('L09 faults of the server inside one turn leave one reply in the history', async () => {
  const { outcome, recorded } = await run({
    lines: [
      { fault: 'status', status: 500 },
      { fault: 'cut_stream' },
      { fault: 'close_stream' },
      call('Read', { file_path: 'a' }, { content: 'A longer text that comes in pieces.' }),
      { content: 'Done.' },
    ],
  });
  expect(outcome.exitReason).toBe('agent');
  expect(history(recorded)).toEqual([
    'assistant: A longer text that comes in pieces.',
    'tool: text of a',
    'assistant: Done.',
  ]);
  expect(recorded.steps[0]?.retries.length).toBe(3);
});

test('L09 a server that fails for good ends as llm_query_error with the cause and the next step', async () => {
  const { outcome } = await run({ lines: [call('Read', { file_path: 'a' })] });
  expect([outcome.exitReason, outcome.steps]).toEqual(['llm_query_error', 1]);
  expect(outcome.detail).toMatch(/410: the script is at its end: it has 1 replies/);
});

test('the step limit', async () => {
  const { outcome } = await run({
    lines: ['a', 'b', 'c'].map((file) => call('Read', { file_path: file })),
    limits: { maxSteps: 2 },
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_turns', 2]);
});

test('our own tool code failing ends as tool_error', async () => {
  const { outcome } = await run({
    lines: [call('Bash', {})],
    tools: {
      Bash: () => {
        throw new TypeError('x is not a function');
      },
    },
  });
  expect(outcome).toMatchObject({ exitReason: 'tool_error', detail: 'Bash: x is not a function' });
});

test('faults of our own elsewhere end as unknown, not as a throw', async () => {
  const scaffold = {
    ...stubScaffold(TOOLS),
    parse: () => {
      throw new TypeError('bug');
    },
  };
  const parsing = await run({ lines: [{ content: 'x' }], more: { scaffold } });
  expect(parsing.outcome).toMatchObject({ exitReason: 'unknown', detail: 'bug' });
  const failing = recorder(() => {
    throw new VivariumError('disk_full', 'the disk is full', 'Make room.');
  });
  const saving = await run({ lines: [call('Bash', {})], more: { recorder: failing } });
  expect(saving.outcome).toMatchObject({
    exitReason: 'unknown',
    detail: 'the disk is full. Make room.',
    steps: 0,
  });
});

test('resume goes on from history, steps and time', async () => {
  const lines = [
    call('Read', { file_path: 'a' }),
    call('Read', { file_path: 'b' }),
    { content: 'Done.' },
  ];
  const first = await run({ lines, limits: { maxSteps: 1 } });
  const messages = [
    ...(first.recorded.openings[0]?.messages ?? []),
    ...first.recorded.steps.flatMap((step) => step.messages),
  ];
  const resumed = await run({ lines, more: { resume: { messages, steps: 1, elapsedMs: 10 } } });
  expect(resumed.outcome).toMatchObject({ exitReason: 'agent', steps: 3, finalMessage: 'Done.' });
  expect(resumed.recorded.openings).toEqual([]);
  expect(resumed.recorded.steps.map((step) => step.step)).toEqual([2, 3]);
  expect(messages.length).toBe(3);
  const late = await run({ lines, more: { resume: { messages, steps: 1, elapsedMs: 60_000 } } });
  expect(late.outcome.exitReason).toBe('max_time');
});

test('parallel attempts share a server; each has the section of its seed', async () => {
  const model = await scriptedModel([
    { content: 'default' },
    { seed: 1 },
    { content: 'one' },
    { seed: 2 },
    call('Read', { file_path: 'a' }),
    { content: 'two' },
  ]);
  onTestFinished(() => model.close());
  const outcomes = await Promise.all(
    [1, 2, 3].map((seed) => run({ lines: [{ content: 'x' }], more: { chat: model.chat, seed } })),
  );
  expect(outcomes.map(({ outcome }) => outcome.finalMessage)).toEqual(['one', 'two', 'default']);
});
