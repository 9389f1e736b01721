import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listensOn } from './port-owner.ts';

async function listen(host: string): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['127.0.0.1', '::1', '::'])(
  'S02 who listens on %s is told by the kernel',
  async (host) => {
    const port = await listen(host);
    expect(listensOn(port, () => [process.pid])).toBe(true);
    expect(listensOn(port, () => [1])).toBe(false);
    expect(listensOn(port, () => [])).toBe(false);
  },
);

test('S02 the socket of another process is not ours', async () => {
  const child = spawn(process.execPath, [
    '-e',
    "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))",
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(String(line));
  expect(listensOn(port, () => [process.pid])).toBe(false);
  expect(listensOn(port, () => [process.pid, child.pid ?? 0])).toBe(true);
});

test('nobody, and a process that is gone', async () => {
  const port = await listen('127.0.0.1');
  expect(listensOn(port, () => [999_999_999])).toBe(false);
  expect(listensOn(1, () => [process.pid])).toBeNull();
});
