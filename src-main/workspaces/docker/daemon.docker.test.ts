import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownDaemon, type OwnDaemon } from '../../../test/support/own-daemon.ts';
import { BUSYBOX_IMAGE, openBench, type Bench } from '../../../test/support/workspaces.ts';
import { connectEngine, importImageArchive, listImages, type Engine } from '../index.ts';

/** A daemon of our own: the machine's is left alone. */
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('a daemon that goes away', () => {
  let daemon: OwnDaemon;
  let engine: Engine;
  let bench: Bench;

  beforeAll(async () => {
    daemon = ownDaemon();
    await daemon.start();
    engine = await connectEngine({ env: { DOCKER_HOST: daemon.host } });
    bench = await openBench(engine);
  });

  afterAll(async () => {
    await bench.dispose();
    await daemon.dispose();
  });

  test('an image archive is loaded, and a file that is none is refused', async () => {
    const archive = path.join(daemon.folder, 'busybox.tar');
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
      await daemon.stop(signal);
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
      await daemon.start();
      const again = await bench.open({ image: BUSYBOX_IMAGE });
      expect((await again.run({ command: 'true', timeoutMs: 5_000 })).exitCode).toBe(0);
      await again.close();
      expect(await daemon.leftBehind(engine, bench.home)).toEqual([]);
    },
  );
});
