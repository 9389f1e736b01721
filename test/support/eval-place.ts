/** A data folder with small tasks and scripted models, for the tests of evaluations. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NewTask } from '../../src-main/evaluation/index.ts';
import { writeTask } from '../../src-main/evaluation/tasks/write-task.ts';
import { connectEngine, listOwned } from '../../src-main/workspaces/index.ts';
import { createCore, type Core } from '../../src-main/core/index.ts';
import { parseScript } from '../../src-main/models/engines/scripted/format.ts';
import { serveScript, type ScriptServer } from '../../src-main/models/engines/scripted/server.ts';

const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';

/** One place for a test file; `dispose` leaves nothing behind. */
export interface EvalPlace {
  home: string;
  tasks: string;
  core(): Core;
  /** Closes the core; the next call of `core` opens another one, as a later process would. */
  closeCore(): Promise<void>;
  addTask(name: string, change?: Partial<NewTask>): Promise<void>;
  /** Writes a script and returns it as a model is named. */
  script(name: string, lines: readonly object[]): Promise<string>;
  /** Containers, volumes and snapshots of this home. */
  remains(): Promise<{ containers: number; volumes: number; snapshots: string[] }>;
  dispose(): Promise<void>;
}

/** Solved once `a.txt` says `fixed`. */
const VERIFIER = `#!/bin/sh
cd /workspace || exit 1
if grep -q fixed a.txt; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
cat a.txt
`;

export const bash = (command: string) => ({
  content: 'I run a command.',
  tool_calls: [{ name: 'Bash', arguments: { command } }],
});
export const DONE = { content: 'Done.' };
/** The two turns that solve a task of {@link EvalPlace.addTask}. */
export const SOLVE = [bash('echo fixed > a.txt'), DONE];

export async function openEvalPlace(): Promise<EvalPlace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vivarium-eval-'));
  const home = path.join(folder, 'home');
  const tasks = path.join(folder, 'tasks');
  let opened: Core | undefined;
  const closeCore = async () => {
    await opened?.close();
    opened = undefined;
  };
  return {
    ...{ home, tasks, closeCore },
    core: () => (opened ??= createCore({ home, env: process.env })),
    addTask: async (name, change = {}) => {
      await writeTask(tasks, {
        ...{ name, instruction: `Fix ${name}.`, image: IMAGE, workdir: '/workspace' },
        tree: [{ path: 'a.txt', mode: '100644', content: Buffer.from(`broken ${name}\n`) }],
        tests: { 'test.sh': VERIFIER },
        ...{ fix: null, expected: null, agentTimeoutMs: null, source: {} },
        verifier: { on: 'patch', timeoutMs: 60_000, reader: { kind: 'reward' } },
        ...change,
      });
    },
    script: async (name, lines) => {
      const file = path.join(folder, `${name}.jsonl`);
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return `script:${file}`;
    },
    remains: async () => {
      const owned = await listOwned(await connectEngine(), home);
      const snapshots = await readdir(path.join(home, 'snapshots')).catch(() => []);
      return {
        ...{ containers: owned.containers.length, volumes: owned.volumes.length },
        snapshots,
      };
    },
    dispose: async () => {
      await closeCore();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A script served in this process, as somebody else's server would be. */
export function serveLines(lines: readonly object[], key: string): Promise<ScriptServer> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return serveScript(parseScript(text, 'script'), key);
}
