import path from 'node:path';
import {
  changesOfTree,
  makePatch,
  seedEntries,
  takeSnapshot,
} from '../../../src-main/patch/index.ts';
import { fileAt, makeRepository, withPlace } from '../place.ts';
import { series, type Row } from '../row.ts';

const REPEATS = 5;
const FILES = 50_000;
const CHANGED = 20;

/** From the changed tree in the workspace to a patch that was checked against the snapshot. */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ folder, open }) => {
    const repository = path.join(folder, 'repository');
    await makeRepository(repository, { files: FILES, bytes: FILES * 500 });
    const snapshot = await takeSnapshot(repository, { home: folder, sessionId: 'patch' });
    const workspace = await open(seedEntries(snapshot));
    const names = Array.from({ length: CHANGED }, (_, n) => fileAt(n * (FILES / CHANGED)));
    const times: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const command = `for file in ${names.join(' ')}; do echo 'changed = ${n}' >> $file; done`;
      await workspace.run({ command, timeoutMs: 30_000 });
      const started = performance.now();
      const { changes, leftOut } = changesOfTree(await workspace.exportTree());
      const patch = await makePatch(snapshot, changes, { leftOut });
      times.push((performance.now() - started) / 1000);
      if (patch.files.length !== CHANGED)
        throw new Error(`${patch.files.length} files in the patch`);
    }
    const reach = { p50: 2, p95: 2, text: '< 2 s' };
    return [series('patch of 20 changed files, repository of 50,000 files', 's', times, reach)];
  });
}
