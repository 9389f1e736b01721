import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDaemon, type DaemonPlace } from '../../scripts/setup/daemon.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { createCore } from '../../src-main/core/index.ts';
import { connectEngine, listOwned } from '../../src-main/workspaces/index.ts';
import { BUSYBOX_IMAGE } from '../support/workspaces.ts';
import { applied, bash, openSetting, RIGHT, turn, type Setting } from './setting.ts';

const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';
const quiet = {
  begin: () => ({ update: () => undefined, done: () => undefined }),
  line: () => undefined,
};

/** A daemon of our own: the machine's is left alone. */
describe.runIf(process.getuid?.() === 0)('the daemon restarts while an attempt runs', () => {
  let folder: string;
  let place: DaemonPlace;
  let setting: Setting;

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
    setting = await openSetting();
    await setting.core.close();
    const env = { ...process.env, DOCKER_HOST: `unix://${place.socket}` };
    setting.core = createCore({ home: setting.home, env });
    const archive = path.join(folder, 'busybox.tar');
    const main = await connectEngine();
    await pipeline(await main.docker.getImage(BUSYBOX_IMAGE).get(), createWriteStream(archive));
    await setting.core.images.import(archive);
  });

  afterAll(async () => {
    await setting.dispose();
    const containerd = path.join(place.execRoot, 'containerd', 'containerd.pid');
    for (const file of [place.pidFile, containerd]) await stop(file, 'SIGTERM');
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

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'W07 P11 %s: it ends as workspace_lost with its patch, and the same app goes on',
    async (signal) => {
      const model = await setting.script(turn(RIGHT), turn(bash('sleep 300', 600)));
      let restarted: Promise<void> | undefined;
      const restart = async () => {
        await delay(500);
        await stop(place.pidFile, signal);
        await ensureDaemon(quiet, place);
      };
      const began = performance.now();
      const result = await setting.fix(
        { model, image: BUSYBOX_IMAGE },
        {
          onEvent: ({ body }) => {
            if (body.type === 'step.finished' && body.step === 1) restarted ??= restart();
          },
        },
      );
      expect(performance.now() - began).toBeLessThan(30_000);
      expect(result.attempts).toMatchObject([{ exitReason: 'workspace_lost' }]);
      expect(await applied(setting, result.patch?.file ?? '', 'calc.py')).toBe(FIXED);
      await restarted;

      const again = await setting.script(turn(RIGHT), { content: 'Done.' });
      const next = await setting.fix({ model: again, image: BUSYBOX_IMAGE });
      expect(next).toMatchObject({ outcome: 'patched', attempts: [{ exitReason: 'agent' }] });
      const engine = await connectEngine({ env: { DOCKER_HOST: `unix://${place.socket}` } });
      const left = async () => Object.values(await listOwned(engine, setting.home)).flat();
      for (let waited = 0; waited < 5_000 && (await left()).length > 0; waited += 100)
        await delay(100);
      expect(await left()).toEqual([]);
    },
  );
});
