import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { createSlotPool } from './slots.ts';

interface Fake {
  name: string;
  contextTokens: Token[];
}

const tokens = (text: string): Token[] => [...Buffer.from(text)] as Token[];

function pool(...fakes: Fake[]): { run: (text: string) => Promise<string>; fakes: Fake[] } {
  const slots = createSlotPool(fakes as unknown as LlamaContextSequence[]);
  const free = new AbortController().signal;
  const run = (text: string): Promise<string> =>
    slots.use(tokens(text), free, async (sequence) => {
      const fake = sequence as unknown as Fake;
      await new Promise((resolve) => setImmediate(resolve));
      fake.contextTokens = tokens(text);
      return fake.name;
    });
  return { run, fakes };
}

const fresh = (name: string): Fake => ({ name, contextTokens: [] });

describe('slots', () => {
  it('go on where the memory fits, and start anew where least is lost', async () => {
    const { run } = pool(fresh('a'), fresh('b'));
    expect(await run('system|issue one')).toBe('a');
    // Shares the system prompt only: it must not cut the first conversation back to it.
    expect(await run('system|another issue')).toBe('b');
    expect(await run('system|issue one, read')).toBe('a');
    expect(await run('system|another issue, read')).toBe('b');
    expect(await run('system|issue one, read, edit')).toBe('a');
    expect(await run('third')).toBe('b');
  });

  it('are given out in the order of asking, one request at a time', async () => {
    const { run } = pool(fresh('a'));
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((n) => run(`request ${n}`).then(() => order.push(n))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('forget a request that is aborted while it waits', async () => {
    const slots = createSlotPool([fresh('a')] as unknown as LlamaContextSequence[]);
    const cancel = new AbortController();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = slots.use([], new AbortController().signal, () => held);
    const second = slots.use([], cancel.signal, () => Promise.resolve());
    cancel.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    release();
    await first;
    await slots.use([], new AbortController().signal, () => Promise.resolve());
  });

  it('are free again after a failure', async () => {
    const slots = createSlotPool([fresh('a')] as unknown as LlamaContextSequence[]);
    const { signal } = new AbortController();
    const failing = slots.use([], signal, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(await slots.use([], signal, () => Promise.resolve('ok'))).toBe('ok');
  });
});
