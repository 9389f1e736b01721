import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUSYBOX_IMAGE,
  file,
  openBench,
  textOf,
  type Bench,
} from '../../../test/support/workspaces.ts';
import { createOwner, listOwned, reapOrphans } from '../index.ts';
import { LABEL_HOME, homeLabel } from './owner.ts';

const HOLDER = path.resolve(import.meta.dirname, '../../../test/support/workspace-holder.ts');

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.dispose());

/** A second instance of the app: a process that opens workspaces and holds them. */
async function startHolder(home: string): Promise<{ pid: number; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [HOLDER, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Everything with this data folder's label, whatever its state. */
async function remains(home: string): Promise<{ containers: number; volumes: number }> {
  const owned = await listOwned(bench.engine, home);
  return { containers: owned.containers.length, volumes: owned.volumes.length };
}

describe('the life of a workspace', () => {
  test('close leaves neither container nor volume', async () => {
    const workspace = await bench.open();
    expect(await remains(bench.home)).toEqual({ containers: 1, volumes: 1 });
    await workspace.close();
    expect(await remains(bench.home)).toEqual({ containers: 0, volumes: 0 });
  });

  test('the repository lies where it was asked for, under the same hardening', async () => {
    const workspace = await bench.open({ root: '/testbed', seed: [file('a.txt', 'a')] });
    expect(workspace.root).toBe('/testbed');
    const ran = await workspace.run({
      command: 'pwd; cat a.txt; echo b > b.txt',
      timeoutMs: 10_000,
    });
    expect(textOf(ran.stdout)).toBe('/testbed\na');
    const { written } = await workspace.exportTree();
    expect(written.map(({ entry }) => entry.path)).toEqual(['b.txt']);
    await workspace.close();
    expect(await remains(bench.home)).toEqual({ containers: 0, volumes: 0 });
  });

  test('whoever opened it is told once when it needs no more care', async () => {
    let removed = 0;
    const workspace = await bench.open({ onRemoved: () => (removed += 1) });
    expect(removed).toBe(0);
    await workspace.close();
    await workspace.close();
    expect(removed).toBe(1);
  });

  test('B10 a container removed from outside ends the running command at once, with the reason', async () => {
    const workspace = await bench.open();
    const running = workspace.run({ command: 'sleep 60', timeoutMs: 60_000 });
    const outcome = running.catch((error: unknown) => error);
    await delay(300);
    const [container] = (await listOwned(bench.engine, bench.home)).containers;
    const begun = performance.now();
    await bench.engine.docker.getContainer(container?.id ?? '').remove({ force: true });
    expect(await outcome).toMatchObject({ code: 'workspace_lost' });
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(await workspace.lost).toMatch(/removed from outside|has ended/);
    await expect(workspace.exportTree()).rejects.toMatchObject({ code: 'workspace_lost' });
    await workspace.close();
  });

  test('B10 the app killed with -9: container and volume are gone within 5 s, without any reaper', async () => {
    const home = path.join(bench.home, 'killed');
    const holder = await startHolder(home);
    expect(await remains(home)).toEqual({ containers: 1, volumes: 1 });
    await holder.kill();
    const end = performance.now() + 5_000;
    while ((await remains(home)).containers > 0 && performance.now() < end) await delay(100);
    expect(await remains(home)).toEqual({ containers: 0, volumes: 0 });
  });

  test('W02 two instances: the dead one is reaped in every state, the living one is left alone', async () => {
    const home = path.join(bench.home, 'two');
    const living = await startHolder(home);
    const dead = createOwner(home);
    const labels = { [LABEL_HOME]: homeLabel(home), 'vivarium.owner': dead.id };
    const options = { Image: BUSYBOX_IMAGE, Cmd: ['sleep', '1000'], Labels: labels };
    const volume = { Name: `vivarium-test-${dead.id}`, Labels: labels };
    const host = { HostConfig: { NetworkMode: 'none' } };
    await bench.engine.docker.createContainer({ ...options, ...host });
    const running = await bench.engine.docker.createContainer({ ...options, ...host });
    await running.start();
    const exited = await bench.engine.docker.createContainer({
      ...options,
      ...host,
      Cmd: ['true'],
    });
    await exited.start();
    await exited.wait();
    await bench.engine.docker.createVolume(volume);
    expect(await reapOrphans(bench.engine, home)).toEqual({ containers: 0, volumes: 0 });
    await dead.dispose();
    expect(await reapOrphans(bench.engine, home)).toEqual({ containers: 3, volumes: 1 });
    expect(await remains(home)).toEqual({ containers: 1, volumes: 1 });
    expect(await reapOrphans(bench.engine, bench.home)).toEqual({ containers: 0, volumes: 0 });
    await living.kill();
    await delay(2_000);
    await reapOrphans(bench.engine, home);
    expect(await remains(home)).toEqual({ containers: 0, volumes: 0 });
    await rm(home, { recursive: true });
  });

  test('W01 a create that fails half way leaves nothing', async () => {
    const failures = [
      [() => bench.open({ image: 'no-such-image:ever' }), 'image_missing'],
      [() => bench.open({ image: 'Not A Name' }), 'image_missing'],
      [() => bench.open({ runtime: 'no-such-runtime' }), 'runtime_missing'],
      [() => bench.open({ limits: { memoryBytes: 1_000 } }), 'docker_failed'],
      [
        () =>
          bench.open({
            limits: { diskBytes: 4096 * 4 },
            seed: [file('big', Buffer.alloc(1_000_000))],
          }),
        'workspace_failed',
      ],
      [() => bench.open({ seed: [file('../out', 'x')] }), 'workspace_failed'],
      [() => bench.open({ seed: brokenSeed() }), 'workspace_failed'],
    ] as const;
    for (const [open, code] of failures) await expect(open()).rejects.toMatchObject({ code });
    await expect(bench.open({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    const stop = new AbortController();
    const opening = bench.open({ signal: stop.signal, seed: slowSeed(() => stop.abort()) });
    await expect(opening).rejects.toThrow(/abort/i);
    expect(await remains(bench.home)).toEqual({ containers: 0, volumes: 0 });
  });

  test('W03 1,000 commands leak no process, descriptor or memory', async () => {
    const workspace = await bench.open();
    const cycle = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        const result = await workspace.run({
          command: `echo ${at}`,
          shell: 'sh',
          timeoutMs: 10_000,
        });
        if (textOf(result.stdout) !== `${at}\n`) throw new Error(`run ${at} went wrong`);
        if (at % 10 === 0) await workspace.writeFile('same', Buffer.from(String(at)));
      }
    };
    await cycle(100);
    globalThis.gc?.();
    const before = {
      fds: descriptors(),
      rss: process.memoryUsage().rss,
      pids: (await workspace.usage()).pids,
    };
    await cycle(1_000);
    globalThis.gc?.();
    expect(descriptors() - before.fds).toBeLessThanOrEqual(5);
    expect((await workspace.usage()).pids).toBe(before.pids);
    expect(process.memoryUsage().rss - before.rss).toBeLessThan(20 * 2 ** 20);
    await workspace.close();
  });

  test('W03 children left in the background do not pile up descriptors', async () => {
    const workspace = await bench.open();
    const before = descriptors();
    for (let at = 0; at < 30; at += 1) {
      await workspace.run({ command: 'sleep 0.2 & true', shell: 'sh', timeoutMs: 10_000 });
    }
    await delay(500);
    await workspace.run({ command: 'true', shell: 'sh', timeoutMs: 10_000 });
    expect(descriptors() - before).toBeLessThanOrEqual(12);
    await workspace.close();
  });

  test('usage tells memory, its peak and the number of processes', async () => {
    const workspace = await bench.open();
    await workspace.run({ command: 'head -c 60000000 /dev/zero | tail -c 1', timeoutMs: 20_000 });
    await workspace.writeFile('ballast', Buffer.alloc(30_000_000));
    const usage = await workspace.usage();
    expect(usage.memoryBytes).toBeGreaterThan(30_000_000);
    expect(usage.peakMemoryBytes ?? 0).toBeGreaterThan(usage.memoryBytes * 0.9);
    expect(usage.pids).toBeGreaterThanOrEqual(4);
    await workspace.close();
  });
});

function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

async function* brokenSeed() {
  yield file('a', 'a');
  await delay(10);
  throw Object.assign(new Error('the snapshot broke'), { code: 'EIO' });
}

async function* slowSeed(then: () => void) {
  yield file('a', 'a');
  then();
  await delay(50);
  yield file('b', 'b');
}
