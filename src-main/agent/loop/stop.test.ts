import { expect, test } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import type { ChatModel } from '../../models/index.ts';
import { run } from './testing/run.ts';
import { call, stubWorkspace, type Tool } from './testing/stubs.ts';

test('the time limit interrupts a running model turn', async () => {
  const { outcome } = await run({
    lines: [{ content: 'late', delay_ms: 30_000 }],
    limits: { timeLimitMs: 200 },
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_time', 0]);
  expect(outcome.seconds.total).toBeLessThan(5);
});

test('the time limit interrupts a running tool; the calls left are answered, not run', async () => {
  const slow: Tool = (_call, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancelled')));
  const { outcome, recorded } = await run({
    lines: [
      { tool_calls: [1, 2].map((n) => ({ name: 'Bash', arguments: { command: String(n) } })) },
    ],
    tools: { Bash: slow },
    limits: { timeLimitMs: 500 },
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['max_time', 1]);
  expect(recorded.steps[0]?.observations.map(({ text, mutated }) => [text, mutated])).toEqual([
    ['cancelled', true],
    ['Not run: the attempt was stopped before.', false],
  ]);
});

test('a tool that does not listen is left behind after a second', async () => {
  const controller = new AbortController();
  const deaf: Tool = () => {
    controller.abort();
    return new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 2000));
  };
  const { outcome, recorded } = await run({
    lines: [call('Bash', { command: 'x' })],
    tools: { Bash: deaf },
    more: { signal: controller.signal },
  });
  expect(outcome.exitReason).toBe('cancelled');
  expect(outcome.seconds.total).toBeLessThan(1.9);
  expect(recorded.steps[0]?.observations[0]?.text).toBe('Broken off: the attempt was stopped.');
  // The late failure must not surface as an unhandled rejection.
  await new Promise((resolve) => setTimeout(resolve, 1500));
});

test('a cancel ends the running model turn at once', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 150);
  const { outcome } = await run({
    lines: [{ content: 'late', delay_ms: 30_000 }],
    more: { signal: controller.signal },
  });
  expect(outcome.exitReason).toBe('cancelled');
  expect(outcome.seconds.total).toBeLessThan(1);
});

test('cancelled before it starts: nothing is asked', async () => {
  const { outcome } = await run({
    lines: [{ content: 'x' }],
    more: { signal: AbortSignal.abort() },
  });
  expect([outcome.exitReason, outcome.steps]).toEqual(['cancelled', 0]);
});

test('a model that ignores the abort is left behind', async () => {
  const deaf: ChatModel = { complete: () => new Promise(() => {}) };
  const { outcome } = await run({
    lines: [{ content: 'x' }],
    limits: { timeLimitMs: 100 },
    more: { chat: deaf },
  });
  expect(outcome.exitReason).toBe('max_time');
});

test('B10 the workspace disappears while the model thinks: ends at once', async () => {
  const { workspace, lose } = stubWorkspace();
  setTimeout(() => lose('the container is gone'), 150);
  const { outcome } = await run({
    lines: [{ content: 'late', delay_ms: 30_000 }],
    more: { workspace },
  });
  expect(outcome).toMatchObject({
    exitReason: 'workspace_lost',
    detail: 'the container is gone',
    steps: 0,
  });
  expect(outcome.seconds.total).toBeLessThan(1);
});

test('B10 the workspace disappears under a tool: the step is recorded without a look into it', async () => {
  const { outcome, recorded } = await run({
    lines: [
      { tool_calls: [1, 2].map((n) => ({ name: n === 1 ? 'Read' : 'Bash', arguments: {} })) },
    ],
    tools: {
      Read: () => 'ok',
      Bash: () => {
        throw new VivariumError('workspace_lost', 'the container is gone', 'Run it again.');
      },
    },
  });
  expect(outcome).toMatchObject({
    exitReason: 'workspace_lost',
    detail: 'the container is gone. Run it again.',
    steps: 1,
  });
  expect(recorded.steps[0]?.observations.map(({ mutated }) => mutated)).toEqual([false, false]);
});
