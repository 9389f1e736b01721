import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCore } from '../../src-main/core/index.ts';
import { connectEngine } from '../../src-main/workspaces/index.ts';
import { ownDaemon, type OwnDaemon } from '../support/own-daemon.ts';
import { BUSYBOX_IMAGE } from '../support/workspaces.ts';
import { applied, bash, openSetting, RIGHT, turn, type Setting } from './setting.ts';

const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';

/** A daemon of our own: the machine's is left alone. */
describe.runIf(process.getuid?.() === 0)('the daemon restarts while an attempt runs', () => {
  let daemon: OwnDaemon;
  let setting: Setting;

  beforeAll(async () => {
    daemon = ownDaemon();
    await daemon.start();
    setting = await openSetting();
    await setting.core.close();
    const env = { ...process.env, DOCKER_HOST: daemon.host };
    setting.core = createCore({ home: setting.home, env });
    const archive = path.join(daemon.folder, 'busybox.tar');
    const main = await connectEngine();
    await pipeline(await main.docker.getImage(BUSYBOX_IMAGE).get(), createWriteStream(archive));
    await setting.core.images.import(archive);
  });

  afterAll(async () => {
    await setting.dispose();
    await daemon.dispose();
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'W07 P11 %s: it ends as workspace_lost with its patch, and the same app goes on',
    async (signal) => {
      const model = await setting.script(turn(RIGHT), turn(bash('sleep 300', 600)));
      let restarted: Promise<void> | undefined;
      const restart = async () => {
        await delay(500);
        await daemon.stop(signal);
        await daemon.start();
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
      const engine = await connectEngine({ env: { DOCKER_HOST: daemon.host } });
      expect(await daemon.leftBehind(engine, setting.home)).toEqual([]);
    },
  );
});
