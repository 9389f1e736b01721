import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../types.ts';
import { ContextOverflowError } from '../../types.ts';
import {
  GREEDY,
  isRunning,
  openServer,
  SMOLLM,
  TADPOLE,
  TADPOLE_SYSTEM,
  waitUntil,
} from './testing.ts';

const CYCLES = 20;
const MIB = 1024 * 1024;

/** Children of this process that are still there, zombies included. */
function children(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ');
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}

describe('20 starts and stops', () => {
  it('leave no process, no port, no descriptor and no memory', async () => {
    const before = children();
    const pids: number[] = [];
    const descriptors: number[] = [];
    const memory: number[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const { handle, url } = await openServer(TADPOLE);
      pids.push(handle.pid ?? 0);
      const reply = await handle.chat.complete({
        ...{ messages: [{ role: 'user', content: 'Hi' }], tools: [], sampling: GREEDY },
        maxTokens: 2,
      });
      expect(reply.usage.completionTokens).toBe(2);
      await handle.close();
      expect(await listens(Number(new URL(url).port))).toBe(false);
      descriptors.push(openDescriptors());
      memory.push(process.memoryUsage.rss());
    }
    expect(new Set(pids).size).toBe(CYCLES);
    expect(pids.filter((pid) => isRunning(pid))).toEqual([]);
    expect(children()).toEqual(before);
    // Log files and sockets are closed a moment after their process has gone.
    const settled = await waitUntil(() => openDescriptors() <= (descriptors[1] ?? 0), 5_000);
    expect(settled, `descriptors: ${descriptors.join(' ')}`).not.toBeNull();
    const growth = Math.min(...memory.slice(-5)) - Math.min(...memory.slice(5, 10));
    expect(growth / MIB).toBeLessThan(24);
  });
});

describe('10 growing turns', () => {
  const MODELS = [
    ['tadpole', TADPOLE, {}, TADPOLE_SYSTEM],
    ['SmolLM2', SMOLLM, { contextTokens: 4_096 }, 'You are a helpful assistant.'],
  ] as const;

  it.each(MODELS)('of %s are evaluated once each', async (_title, file, options, system) => {
    const { handle } = await openServer(file, options);
    try {
      const messages: ChatMessage[] = [{ role: 'system', content: system }];
      let sent = 0;
      for (let turn = 1; turn <= 10; turn += 1) {
        messages.push({ role: 'user', content: `Note ${turn}: value_${turn} is ${turn * 37}.` });
        const reply = await handle.chat.complete({
          ...{ messages, tools: [], sampling: GREEDY },
          maxTokens: 12,
        });
        const { promptTokens, cachedTokens, completionTokens } = reply.usage;
        // All that was sent or written before, but for the last token: it was never evaluated.
        expect(cachedTokens, `turn ${turn}`).toBeGreaterThanOrEqual(0.98 * sent - 1);
        expect(cachedTokens).toBeLessThan(promptTokens ?? 0);
        sent = (promptTokens ?? 0) + (completionTokens ?? 0);
        messages.push({ role: 'assistant', content: reply.content });
      }
    } finally {
      await handle.close();
    }
  });
});

describe('a window smaller than the prompt', () => {
  it('L08 is told as such, and the next turn is answered', async () => {
    const { handle } = await openServer(TADPOLE, { contextTokens: 256 });
    expect(handle.info.contextTokens).toBe(256);
    const ask = (content: string): ReturnType<typeof handle.chat.complete> =>
      handle.chat.complete({
        ...{ messages: [{ role: 'user', content }], tools: [], sampling: GREEDY },
        maxTokens: 8,
      });
    await expect(ask('x = 1\n'.repeat(200))).rejects.toBeInstanceOf(ContextOverflowError);
    expect((await ask('Hi')).usage.completionTokens).toBe(8);
    await handle.close();
  });
});
