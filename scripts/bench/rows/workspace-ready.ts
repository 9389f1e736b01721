import path from 'node:path';
import { seedEntries, takeSnapshot } from '../../../src-main/patch/index.ts';
import { makeRepository, withPlace } from '../place.ts';
import { series, timed, type Row } from '../row.ts';

const REPEATS = 5;
const SIZE = { files: 6_000, bytes: 80 * 1024 * 1024 };

/** From snapshot to a workspace that takes commands: container, copy, hardening checked, channel. */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ folder, open }) => {
    const repository = path.join(folder, 'repository');
    await makeRepository(repository, SIZE);
    const ready: number[] = [];
    const snapshots: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const started = performance.now();
      const snapshot = await takeSnapshot(repository, { home: folder, sessionId: `ready-${n}` });
      snapshots.push((performance.now() - started) / 1000);
      const opening = performance.now();
      const workspace = await open(seedEntries(snapshot));
      const { stdout } = await workspace.run({ command: 'ls | wc -l', timeoutMs: 10_000 });
      ready.push((performance.now() - opening) / 1000);
      if (Buffer.from(stdout.head).toString().trim() !== '6')
        throw new Error('the seed is not there');
      await timed(() => workspace.close());
    }
    const title = 'repository of 6,000 files, 80 MB';
    return [
      series(`workspace ready (first command answered), ${title}`, 's', ready, {
        p50: 3,
        p95: 3,
        text: '< 3 s',
      }),
      series(`snapshot, ${title}`, 's', snapshots, null, 'once a session, before the workspace'),
    ];
  });
}
