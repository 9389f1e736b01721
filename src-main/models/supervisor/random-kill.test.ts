import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readRecord, serverFiles } from './files.ts';
import { carriers, guardsOf, temporaryHome, testSupervisor, waitUntil } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

const APP = fileURLToPath(new URL('./testing/app.ts', import.meta.url));
const FAMILY = { children: 1, escaped: 1, lines: ['loading 1 of 2', 'loading 2 of 2'], stepMs: 50 };

/** From before the first file is written until after the server is ready. */
const MOMENTS_MS = [150, 300, 450, 600, 800, 1_200];

it('S01 kill -9 at any moment: the next instance sees it, clears up and starts', async () => {
  const home = temporaryHome();
  const supervisor = testSupervisor(home);
  for (const moment of MOMENTS_MS) {
    const app = spawn(process.execPath, [APP, home, 'toad', JSON.stringify(FAMILY)], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => setTimeout(resolve, moment));
    const gone = new Promise((resolve) => app.once('exit', resolve));
    app.kill('SIGKILL');
    await gone;
    const nonce = readRecord(serverFiles(home, 'toad'))?.proof?.nonce;
    const { state } = await supervisor.status('toad');
    expect(['stopped', 'lost']).toContain(state);
    expect(await supervisor.reap()).toEqual(state === 'lost' ? ['toad'] : []);
    if (nonce !== undefined) {
      expect(carriers(nonce)).toEqual([]);
      expect(await waitUntil(() => guardsOf(nonce).length === 0, 5_000)).not.toBeNull();
    }
    const server = await supervisor.start(startRequest(standInEngine()));
    expect(server.status().state).toBe('ready');
    await server.stop();
  }
}, 60_000);
