import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { utilityChild } from './utility-child.ts';

class FakeChild extends EventEmitter {
  pid: number | undefined = 4711;
  stdout = new PassThrough();
  stderr = new PassThrough();
  posted: unknown[] = [];
  kill = vi.fn(() => this.emit('exit', 15));
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
}

function open() {
  const child = new FakeChild();
  const fork = vi.fn(() => child);
  const lines: string[] = [];
  const messages: unknown[] = [];
  const starting = utilityChild({ fork })({
    entry: '/app/llama-server.js',
    env: { PATH: '/usr/bin' },
    onMessage: (message) => messages.push(message),
    onLine: (line) => lines.push(line),
  });
  return { child, fork, lines, messages, starting };
}

it('a child of ours is a utility process with the environment it was given', async () => {
  const { child, fork, lines, messages, starting } = open();
  child.emit('spawn');
  const started = await starting;
  expect(fork).toHaveBeenCalledWith('/app/llama-server.js', [], {
    env: { PATH: '/usr/bin' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe'],
    serviceName: 'Vivarium engine',
  });
  child.emit('message', { kind: 'ready' });
  child.stdout.write('loading\n');
  await vi.waitFor(() => expect(lines).toEqual(['loading']));
  expect(messages).toEqual([{ kind: 'ready' }]);
  started.send({ kind: 'start' });
  await started.stop(1_000);
  expect(await started.exited).toEqual({ code: 15, signal: null });
  started.send('too late');
  await started.stop(1_000);
  expect(child.posted).toEqual([{ kind: 'start' }]);
  expect(child.kill).toHaveBeenCalledTimes(1);
});

it('one that never begins is a failure', async () => {
  const { child, starting } = open();
  child.emit('exit', 1);
  await expect(starting).rejects.toThrow('ended with code 1');
});
