import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDaemon, type DaemonPlace } from '../../../scripts/setup/daemon.mjs';
import { run } from '../../../scripts/setup/run.mjs';
import { BUSYBOX_IMAGE, openBench, type Bench } from '../../../test/support/workspaces.ts';
import { connectEngine, importImageArchive, listImages, listOwned, type Engine } from '../index.ts';

/** A daemon of our own: the machine's is left alone. */
const isRoot = process.getuid?.() === 0;
const quiet = {
  begin: () => ({ update: () => undefined, done: () => undefined }),
  line: () => undefined,
};

describe.runIf(isRoot)('a daemon that goes away', () => {
  let folder: string;
  let place: DaemonPlace;
  let engine: Engine;
  let bench: Bench;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-engine-'));
    place = {
      socket: path.join(folder, 'docker.sock'),
      pidFile: path.join(folder, 'docker.pid'),
      execRoot: path.join(folder, 'exec'),
      logFile: path.join(folder, 'dockerd.log'),
      args: [
        ...['--data-root', path.join(folder, 'data'), '--bridge=none', '--iptables=false'],
        ...['--ip6tables=false', '--group', 'root'],
      ],
    };
    await ensureDaemon(quiet, place);
    engine = await connectEngine({ env: { DOCKER_HOST: `unix://${place.socket}` } });
    bench = await openBench(engine);
  });

  afterAll(async () => {
    await bench.dispose();
    for (const file of [place.pidFile, path.join(place.execRoot, 'containerd', 'containerd.pid')]) {
      await stop(file, 'SIGTERM');
    }
    await run('umount', ['--recursive', '--lazy', path.join(folder, 'data')]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function stop(pidFile: string, signal: NodeJS.Signals): Promise<void> {
    if (!existsSync(pidFile)) return;
    const pid = Number(readFileSync(pidFile, 'utf8'));
    if (!existsSync(`/proc/${pid}`)) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < 20_000 && existsSync(`/proc/${pid}`); waited += 50)
      await delay(50);
  }

  test('an image archive is loaded, and a file that is none is refused', async () => {
    const archive = path.join(folder, 'busybox.tar');
    const main = await connectEngine();
    await pipeline(await main.docker.getImage(BUSYBOX_IMAGE).get(), createWriteStream(archive));
    expect(await importImageArchive(engine, archive)).toEqual([BUSYBOX_IMAGE]);
    expect((await listImages(engine)).map((image) => image.reference)).toEqual([BUSYBOX_IMAGE]);
    writeFileSync(archive, 'this is no archive'.repeat(1_000));
    await expect(importImageArchive(engine, archive)).rejects.toMatchObject({
      code: 'image_unusable',
    });
    rmSync(archive);
    await expect(importImageArchive(engine, archive)).rejects.toMatchObject({
      code: 'image_unusable',
    });
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'W07 daemon ended by %s: pending and later calls say that the workspace is lost, fast',
    async (signal) => {
      const workspace = await bench.open({ image: BUSYBOX_IMAGE });
      const running = workspace.run({ command: 'sleep 100', timeoutMs: 100_000 });
      const outcome = running.catch((error: unknown) => error);
      await delay(300);
      await stop(place.pidFile, signal);
      const begun = performance.now();
      expect(await outcome).toMatchObject({ code: 'workspace_lost' });
      expect(await workspace.lost).not.toBe('');
      await expect(workspace.exportTree()).rejects.toMatchObject({ code: 'workspace_lost' });
      await expect(workspace.usage()).rejects.toMatchObject({ code: 'workspace_lost' });
      await workspace.close();
      expect(performance.now() - begun).toBeLessThan(2_000);
      await expect(bench.open({ image: BUSYBOX_IMAGE })).rejects.toMatchObject({
        code: 'docker_failed',
      });
      await ensureDaemon(quiet, place);
      const again = await bench.open({ image: BUSYBOX_IMAGE });
      expect((await again.run({ command: 'true', timeoutMs: 5_000 })).exitCode).toBe(0);
      await again.close();
      const left = async () => Object.values(await listOwned(engine, bench.home)).flat();
      for (let waited = 0; waited < 5_000 && (await left()).length > 0; waited += 100) {
        await delay(100);
      }
      expect(await left()).toEqual([]);
    },
  );
});
