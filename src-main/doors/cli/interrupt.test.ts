import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listenForInterrupts } from './interrupt.ts';

test('the first signal aborts; one press told twice counts once; the second ends at once', async () => {
  const heard: string[] = [];
  const before = process.listenerCount('SIGINT');
  const interrupts = listenForInterrupts({
    onFirst: (code) => void heard.push(`first ${code}`),
    onSecond: (code) => void heard.push(`second ${code}`),
  });
  expect(interrupts.signal.aborted).toBe(false);
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  expect([interrupts.signal.aborted, heard]).toEqual([true, ['first 130']]);
  await sleep(120);
  process.emit('SIGTERM', 'SIGTERM');
  process.emit('SIGHUP', 'SIGHUP');
  expect(heard).toEqual(['first 130', 'second 143', 'second 129']);
  interrupts.end();
  expect(process.listenerCount('SIGINT')).toBe(before);
});
