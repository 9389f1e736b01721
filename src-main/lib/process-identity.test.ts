import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAlive, processIdentity } from './process-identity.ts';

test('our own process is alive', () => {
  expect(isAlive(processIdentity())).toBe(true);
});

test('a process that ended is not alive, and neither is another one with its pid', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const identity = processIdentity(child.pid);
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
  const [, ticks, boot] = identity.split('.');
  expect(isAlive([process.pid, Number(ticks) + 1, boot].join('.'))).toBe(false);
});

test('another boot, and nonsense, are not alive', () => {
  const [pid, ticks] = processIdentity().split('.');
  expect(isAlive([pid, ticks, 'ffffffff-0000-0000-0000-000000000000'].join('.'))).toBe(false);
  expect(isAlive('')).toBe(false);
  expect(isAlive('x.y.z')).toBe(false);
});
