import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { forkChild, type StartChild } from '../../../src-main/models/child.ts';
import { openLlamaCpp } from '../../../src-main/models/engines/llamacpp/index.ts';
import type {
  ServerMessage,
  StartMessage,
} from '../../../src-main/models/engines/llamacpp/protocol.ts';
import { createLlamaCppEngine } from '../../../src-main/models/engines/llamacpp/server-engine.ts';
import type { ServerSample } from '../../../src-main/models/servers/types.ts';
import { createProcessFinder } from '../../../src-main/models/supervisor/process-finder.ts';
import { createSampler } from '../../../src-main/models/telemetry/index.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { ROOT } from '../place.ts';
import { single, type Row } from '../row.ts';

const SECONDS = 60;
/** Turns go on all the time, so that there is something to look at; a turn costs the same in both. */
const TURN_EVERY_MS = 5000;

/** Opens tadpole and tells where its server is. */
async function openTadpole(home: string) {
  const access = { root: '', key: '' };
  const startChild: StartChild = async (wanted) => {
    const child = await forkChild({
      ...wanted,
      onMessage: (message) => {
        const told = message as ServerMessage;
        if (told.kind === 'ready') access.root = `http://127.0.0.1:${told.port}`;
        wanted.onMessage(message);
      },
    });
    const send = (message: unknown): void => {
      access.key = (message as StartMessage).key;
      child.send(message);
    };
    return { ...child, send };
  };
  const file = path.join(ROOT, 'resources/models/tadpole.gguf');
  const handle = await openLlamaCpp(file, { home, env: process.env, startChild });
  return { handle, access };
}

/** CPU time in ms that this process takes for `work` to pass. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * What looking at a server each second costs, all of it: finding its processes, their memory, its
 * metrics page and keeping the look in the store. The same minute is spent without it for comparison.
 */
export async function measure(): Promise<Row[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-bench-'));
  const { handle, access } = await openTadpole(home);
  const store = openStore(path.join(home, 'record.sqlite'));
  const engine = createLlamaCppEngine();
  const finder = createProcessFinder('bench');
  if (handle.pid !== null) finder.lead(handle.pid);
  const samples: ServerSample[] = [];
  const minute = async (): Promise<void> => {
    const end = performance.now() + SECONDS * 1000;
    for (let turn = 0; performance.now() < end; turn += 1) {
      await handle.chat.complete({
        messages: [{ role: 'user', content: `${turn}: 1, 2, 3, 4,` }],
        ...{ tools: [], sampling: { temperature: 0 }, maxTokens: 16 },
      });
      await sleep(Math.max(0, Math.min(TURN_EVERY_MS, end - performance.now())));
    }
  };
  try {
    // Compiling and connecting is not what is measured.
    await handle.chat.complete({
      messages: [{ role: 'user', content: 'Hello' }],
      ...{ tools: [], sampling: {}, maxTokens: 4 },
    });
    const without = await cpuOf(minute);
    const sampler = createSampler({
      pids: () => finder.find(true).map(({ pid }) => pid),
      figures: () =>
        engine.figures({ ...access, servedName: 'tadpole', signal: AbortSignal.timeout(2000) }),
      gpu: null,
      onSample: (sample) => {
        samples.push(sample);
        store.addServerSample('tadpole', sample);
      },
    });
    const withIt = await cpuOf(minute);
    sampler.stop();
    const known = samples.filter(({ figures, memoryBytes }) => figures && memoryBytes).length;
    if (known < SECONDS * 0.8)
      throw new Error(`only ${known} looks of ${samples.length} were whole`);
    const note = `${known} looks; ${Math.round(without)} ms without, ${Math.round(withIt)} ms with`;
    const share = (100 * (withIt - without)) / (SECONDS * 1000);
    return [single('one core that telemetry takes', '%', share, { p50: 1, text: '< 1 %' }, note)];
  } finally {
    store.close();
    await handle.close();
    await rm(home, { recursive: true, force: true });
  }
}
