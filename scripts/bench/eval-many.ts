/**
 * 500 tasks x 3 seeds with a scripted model of 5 steps and 4 workers: everything has to be recorded,
 * nothing left behind, and the memory of this process flat. Takes 20 minutes on two quiet cores; other
 * sizes for a first look: `node scripts/bench/eval-many.ts --tasks 20`.
 */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createCore } from '../../src-main/core/index.ts';
import { writeTask } from '../../src-main/evaluation/tasks/write-task.ts';
import { formatSize } from '../../src-main/lib/index.ts';
import { connectEngine, listOwned } from '../../src-main/workspaces/index.ts';
import { IMAGE, withPlace } from './place.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '500' },
    seeds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '4' },
  },
});
const [TASKS, SEEDS, WORKERS] = [values.tasks, values.seeds, values.workers].map(Number) as [
  number,
  number,
  number,
];

/** More than this between the first and the last tenth of the run is a leak. */
const FLAT_BYTES = 64 * 2 ** 20;

const REPLIES = [
  ...['ls', 'cat a.txt', 'echo fixed > a.txt', 'cat a.txt'].map((command) => ({
    content: 'I look at it.',
    tool_calls: [{ name: 'Bash', arguments: { command } }],
  })),
  { content: 'Done.' },
];
const VERIFIER = '#!/bin/sh\ngrep -q fixed a.txt && echo 1 > /logs/verifier/reward.txt\n';

async function writeTasks(folder: string): Promise<void> {
  for (let n = 0; n < TASKS; n += 1) {
    await writeTask(folder, {
      ...{ name: `task-${String(n).padStart(4, '0')}`, instruction: `Fix task ${n}.` },
      ...{ image: IMAGE, workdir: '/workspace' },
      tree: [{ path: 'a.txt', mode: '100644', content: Buffer.from(`broken ${n}\n`) }],
      tests: { 'test.sh': VERIFIER },
      verifier: { on: 'patch', timeoutMs: 60_000, reader: { kind: 'reward' } },
      ...{ fix: null, expected: null, agentTimeoutMs: null, source: {} },
    });
  }
}

/** Heap and buffers after a collection where the process was started with `--expose-gc`. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;

await withPlace(async ({ folder }) => {
  const tasks = path.join(folder, 'tasks');
  await writeTasks(tasks);
  const script = path.join(folder, 'replies.jsonl');
  await writeFile(script, REPLIES.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
  const home = path.join(folder, 'home');
  const core = createCore({ home, env: process.env });
  const memory: number[] = [];
  const began = performance.now();
  let finished = 0;
  const { run, cells } = await core.evaluations.run(
    {
      ...{ tasks, models: [`script:${script}`], scaffolds: ['leaf'], workers: WORKERS },
      seeds: Array.from({ length: SEEDS }, (_, seed) => seed),
    },
    {
      onProgress: (progress) => {
        if (progress.finished === finished) return;
        finished = progress.finished;
        memory.push(usedBytes());
        if (finished % 50 > 0) return;
        const seconds = (performance.now() - began) / 1000;
        const rate = (seconds / finished).toFixed(2);
        console.log(`${finished} cells, ${rate} s each, ${formatSize(memory.at(-1) ?? 0)} in use`);
      },
    },
  );
  await core.close();
  const owned = await listOwned(await connectEngine(), home);
  const snapshots = await readdir(path.join(home, 'snapshots')).catch(() => []);
  const tenth = Math.max(1, Math.floor(memory.length / 10));
  const grown = mean(memory.slice(-tenth)) - mean(memory.slice(tenth, 2 * tenth));
  const total = TASKS * SEEDS;
  const checks = {
    'all recorded': run.state === 'done' && cells.length === total,
    'all resolved': cells.every(({ resolved, tries }) => resolved && tries === 1),
    'no container or volume left': owned.containers.length + owned.volumes.length === 0,
    'no snapshot left': snapshots.length === 0,
    'memory flat': grown < FLAT_BYTES,
  };
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`${total} cells in ${minutes} min, memory ${formatSize(Math.max(0, grown))} more`);
  for (const [what, isSo] of Object.entries(checks))
    console.log(`${isSo ? 'ok  ' : 'FAIL'} ${what}`);
  if (Object.values(checks).includes(false)) process.exitCode = 1;
});
