import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBench, type Bench } from '../../../test/support/workspaces.ts';
import { appFolder } from '../../lib/index.ts';
import { checkTask } from './check-task.ts';
import { withJudge } from './open-judge.ts';
import { readTaskSet } from './read-task-set.ts';
import { taskTree } from './task-tree.ts';
import { benchParts } from './testing.ts';

const PYTHON = path.join(appFolder(), '.cache/harbor/python');
const DEMO = path.join(appFolder(), 'resources/tasks/demo');

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench();
  folder = await mkdtemp(path.join(tmpdir(), 'harbor-oracle-'));
});
afterAll(async () => {
  await bench.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Rewards by task of Harbor's own run: its trials, its agent, its verifier. */
async function harborRun(agent: 'oracle' | 'nop'): Promise<Record<string, unknown>> {
  const out = path.join(folder, agent);
  const words = ['run', '--path', DEMO, '-a', agent, '-o', out, '-n', '1', '-q', '-y'];
  const more = ['-e', 'harbor_plain_docker:PlainDocker'];
  const start = 'from harbor.cli.main import app; app()';
  await promisify(execFile)(PYTHON, ['-c', start, ...words, ...more], {
    env: {
      ...process.env,
      PYTHONPATH: path.join(appFolder(), 'test/fixtures/tasks'),
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    },
  });
  const found: Record<string, unknown> = {};
  for await (const file of glob(path.join(out, '*/*__*/result.json'))) {
    const result = JSON.parse(await readFile(file, 'utf8'));
    found[result.task_name] = result.exception_info ?? result.verifier_result.rewards.reward;
  }
  return found;
}

async function ourVerdicts(): Promise<Record<string, { base: number; fix: number }>> {
  const { tasks } = await readTaskSet(DEMO);
  const parts = benchParts(bench);
  const found: Record<string, { base: number; fix: number }> = {};
  for (const task of tasks) {
    const check = await withJudge(parts, (judges) =>
      checkTask(task, {
        judges,
        treeOf: (one) => taskTree(one, one.image.reference ?? '', parts.readImage),
        ...{ reruns: 1, seed: 1, dropFlaky: false, signal: parts.signal },
      }),
    );
    // A sound task is one that fails as it is and passes with its fix.
    if (check.ok) found[`vivarium/${task.name}`] = { base: 0, fix: 1 };
  }
  return found;
}

describe.skipIf(!existsSync(PYTHON))("Harbor's own run (scripts/harbor.sh)", () => {
  it('its oracle-style check agrees with ours', async () => {
    const ours = await ourVerdicts();
    expect(Object.keys(ours)).toHaveLength(3);
    const part = (which: 'base' | 'fix'): unknown =>
      Object.fromEntries(Object.entries(ours).map(([name, verdict]) => [name, verdict[which]]));
    expect(await harborRun('oracle')).toEqual(part('fix'));
    expect(await harborRun('nop')).toEqual(part('base'));
  });
});
