import { setInterval } from 'node:timers';
import { connectEngine, createOwner, openWorkspace } from '../../src-main/workspaces/index.ts';
import { BUSYBOX_IMAGE, SMALL_LIMITS } from './workspaces.ts';

/** Opens a workspace for the data folder given as argument and holds it until it is killed. */
const [home = ''] = process.argv.slice(2);
const engine = await connectEngine();
const workspace = await openWorkspace(engine, {
  owner: createOwner(home),
  image: BUSYBOX_IMAGE,
  limits: SMALL_LIMITS,
  seed: (async function* () {})(),
  labels: { session: 'holder', attempt: 'holder' },
});
void workspace.run({ command: 'sleep 1000', timeoutMs: 1_000_000 });
process.stdout.write('open\n');
setInterval(() => undefined, 1_000);
