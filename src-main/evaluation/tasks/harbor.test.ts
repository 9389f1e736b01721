import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDemo } from '../../../test/fixtures/tasks/make-demo.ts';
import { appFolder } from '../../lib/index.ts';
import { importTasks } from './import/import-tasks.ts';
import { readTaskSet } from './read-task-set.ts';
import type { Task } from './types.ts';

const PYTHON = path.join(appFolder(), '.cache/harbor/python');
const FIXTURES = path.join(appFolder(), 'test/fixtures/tasks');
const SCRIPT = path.join(FIXTURES, 'harbor_accepts.py');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'harbor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function opinions(tasks: readonly Task[]): unknown[] {
  const text = execFileSync(PYTHON, [SCRIPT, ...tasks.map((task) => task.folder)]).toString();
  const found = JSON.parse(text) as Record<string, unknown>;
  return tasks.map((task) => found[task.folder]);
}

describe.skipIf(!existsSync(PYTHON))("Harbor's own parser (scripts/harbor.sh)", () => {
  it('accepts what we write and import, and reads the same from it', async () => {
    const source = path.join(FIXTURES, 'swe-bench/rows.parquet');
    await importTasks({ format: 'swe-bench', source, out: folder });
    const format = 'terminal-bench';
    const offline = { format, source: path.join(FIXTURES, format), offlineVerifier: true } as const;
    await importTasks({ ...offline, out: folder });
    await makeDemo(folder);
    const { tasks } = await readTaskSet(folder);
    expect(tasks).toHaveLength(6);
    expect(opinions(tasks)).toEqual(
      tasks.map((task) => ({
        name: task.name === 'count-words' ? task.name : `vivarium/${task.name}`,
        valid: true,
        instruction: task.instruction,
        image: task.tree.kind === 'archive' ? null : task.image.reference,
        network: 'no-network',
        workdir: task.name === 'count-words' ? null : task.workdir,
        verifier_seconds: task.verifier.timeoutMs / 1000,
      })),
    );
  });
});
