import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../../src-main/workspaces/index.ts';
import { textOf } from '../support/workspaces.ts';
import type { Subject } from './subject.ts';

const MIB = 2 ** 20;

/** Command lines of all processes of the workspace that hold a text. */
async function processesWith(workspace: Workspace, text: string): Promise<string[]> {
  const command = `for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null; echo; done`;
  const result = await workspace.run({ command, shell: 'sh', timeoutMs: 10_000 });
  return textOf(result.stdout)
    .split('\n')
    .filter((line) => line.includes(text));
}

/** How commands are ended, and what the workspace does about those that hurt it. */
export function endingCases(subject: Subject): void {
  const run = (command: string, timeoutMs = 20_000) =>
    subject.workspace.run({ command, timeoutMs });

  describe('endings', () => {
    test('B03 nothing of a timed-out command is left, however it hides', async () => {
      const begun = performance.now();
      const result = await run(
        "echo started; trap '' TERM; setsid sh -c 'sleep 4711' & " +
          "(setsid env -i sh -c 'sleep 4711 & exec sleep 4711' &) ; " +
          "(trap '' TERM HUP INT; sleep 4711) & sleep 4711",
        1_000,
      );
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: 'KILL', notes: [] });
      expect(textOf(result.stdout)).toBe('started\n');
      expect(await processesWith(subject.workspace, 'sleep 4711')).toEqual([]);
    });

    test('B03 processes of earlier commands outlive the timeout of a later one', async () => {
      await run('sleep 8713 & echo $! >pid');
      await run('sleep 8714', 300);
      expect(await processesWith(subject.workspace, 'sleep 871')).toEqual(['sleep 8713 ']);
      await run('kill -9 $(cat pid)');
    });

    test('a cancelled command ends within 300 ms of work and says so', async () => {
      const stop = new AbortController();
      const running = subject.workspace.run({
        command: 'echo here; sleep 9321',
        timeoutMs: 60_000,
        signal: stop.signal,
      });
      await delay(300);
      const begun = performance.now();
      stop.abort();
      const result = await running;
      expect(performance.now() - begun).toBeLessThan(1_000);
      expect(result).toMatchObject({ cancelled: true, timedOut: false, signal: 'KILL' });
      expect(textOf(result.stdout)).toBe('here\n');
      expect(await processesWith(subject.workspace, 'sleep 9321')).toEqual([]);
    });

    test('a command that is cancelled before its turn never starts', async () => {
      const result = await subject.workspace.run({
        command: 'touch started-anyway',
        timeoutMs: 5_000,
        signal: AbortSignal.abort(),
      });
      expect(result).toMatchObject({ cancelled: true, exitCode: null });
      expect(await subject.workspace.stat('started-anyway')).toBeUndefined();
    });

    test('B09 `kill -9 -1` is survived and said', async () => {
      const result = await run('echo before; kill -9 -1');
      expect(result).toMatchObject({ exitCode: null, signal: 'KILL' });
      expect(result.notes).toEqual(['the command ended the shell channel; it was opened again']);
      expect(textOf((await run('echo after')).stdout)).toBe('after\n');
      expect(await subject.workspace.stat('.')).toMatchObject({ kind: 'folder' });
    });

    test('B09 killing every shell is survived, and what is left of the command is ended', async () => {
      const killShells =
        'sleep 6161 & for p in /proc/[0-9]*; do read -r n <$p/comm; ' +
        'case $n in sh|dash|busybox) kill -9 ${p#/proc/};; esac; done; sleep 6161';
      const result = await run(killShells);
      expect(result.exitCode).toBeNull();
      expect(result.notes.length).toBe(1);
      expect(await processesWith(subject.workspace, 'sleep 6161')).toEqual([]);
    });

    test('B09 every shell told to end by SIGTERM: the channel stays', async () => {
      const result = await run(
        'for p in /proc/[0-9]*; do read -r n <$p/comm; ' +
          'case $n in *sh|busybox) kill -TERM ${p#/proc/};; esac; done; sleep 5',
      );
      expect(result).toMatchObject({ exitCode: null, signal: 'TERM', notes: [] });
      expect(textOf((await run('echo after')).stdout)).toBe('after\n');
    });

    test('B03 a process that stops all others for ever costs the workspace, not our time', async () => {
      const workspace = await subject.maker.open();
      const begun = performance.now();
      const outcome = await workspace
        .run({ command: 'while :; do kill -STOP -1; done', timeoutMs: 1_000 })
        .catch((error: unknown) => error);
      expect(outcome).toMatchObject({ code: 'workspace_lost' });
      await expect(workspace.exportTree()).rejects.toMatchObject({ code: 'workspace_lost' });
      expect(performance.now() - begun).toBeLessThan(30_000);
      await workspace.close();
    });

    test('B12 a fork bomb is stopped by the process limit, and the workspace is usable again', async () => {
      const workspace = await subject.maker.open({ limits: { pids: 64 } });
      await workspace.run({ command: 'b() { b | b & }; b', shell: 'sh', timeoutMs: 2_000 });
      const result = await workspace.run({ command: 'echo ok', shell: 'sh', timeoutMs: 10_000 });
      expect(textOf(result.stdout)).toBe('ok\n');
      expect((await workspace.usage()).pids).toBeLessThan(10);
      await workspace.close();
    });

    test('B12 a process limit reached between two commands is made free again, and that is said', async () => {
      const workspace = await subject.maker.open({ limits: { pids: 64 } });
      const bomb = '(sleep 0.5; while :; do sleep 600 & done) & true';
      await workspace.run({ command: bomb, shell: 'sh', timeoutMs: 2_000 });
      await delay(1_500);
      const results = [];
      for (let at = 0; at < 2; at += 1) {
        results.push(await workspace.run({ command: 'echo ok', shell: 'sh', timeoutMs: 10_000 }));
      }
      expect(
        textOf(
          results.at(-1)?.stdout ?? {
            head: new Uint8Array(),
            tail: new Uint8Array(),
            totalBytes: 0,
          },
        ),
      ).toBe('ok\n');
      expect(results.flatMap((result) => result.notes).length).toBeGreaterThan(0);
      await workspace.close();
    });

    test('B12 a file larger than the disk fails like a full disk, and the rest goes on', async () => {
      const workspace = await subject.maker.open({ limits: { diskBytes: 16 * MIB } });
      const result = await workspace.run({
        command: 'dd if=/dev/zero of=big bs=1048576 count=100',
        shell: 'sh',
        timeoutMs: 20_000,
      });
      expect(result.exitCode).toBe(1);
      expect(textOf(result.stderr)).toMatch(/no space left/i);
      await workspace.run({ command: 'rm big', shell: 'sh', timeoutMs: 5_000 });
      expect(await workspace.writeFile('small', Buffer.from('x'))).toMatchObject({ created: true });
      await workspace.close();
    });

    test('B12 a command that takes all memory is ended and called out of memory', async () => {
      const workspace = await subject.maker.open({ limits: { memoryBytes: 64 * MIB } });
      // tail keeps a line without an end in memory, in coreutils and in BusyBox.
      const result = await workspace.run({
        command: 'tail /dev/zero; exit $?',
        shell: 'sh',
        timeoutMs: 60_000,
      });
      expect(result).toMatchObject({ outOfMemory: true, timedOut: false, signal: 'KILL' });
      const next = await workspace.run({ command: 'echo ok', shell: 'sh', timeoutMs: 5_000 });
      expect(next).toMatchObject({ outOfMemory: false, exitCode: 0 });
      await workspace.close();
    });

    test('closing twice, and calling after the close, are both answered', async () => {
      const workspace = await subject.maker.open();
      const pending = workspace.run({ command: 'sleep 100', timeoutMs: 60_000 });
      const outcome = pending.catch((error: unknown) => error);
      await delay(100);
      await Promise.all([workspace.close(), workspace.close()]);
      expect(await outcome).toMatchObject({ code: 'workspace_lost' });
      await expect(workspace.readFile('x')).rejects.toMatchObject({ code: 'workspace_lost' });
      await workspace.close();
    });
  });
}
