/** Plans, tasks and cells for the tests of this folder. */
import type { StoredCell } from '../../store/index.ts';
import type { Task } from '../tasks/types.ts';
import type { RunPlan } from './types.ts';

/** A task that exists in name only. */
export function taskNamed(name: string, change: Partial<Task> = {}): Task {
  return {
    ...{ name, folder: `/set/${name}`, instruction: `Fix ${name}.` },
    image: { reference: 'image', dockerfile: null },
    tree: { kind: 'archive', file: `/set/${name}/environment/repository.tar` },
    workdir: '/workspace',
    limits: { cpus: null, memoryBytes: null, diskBytes: null },
    ...{ agentTimeoutMs: null, wantsNetwork: false, expected: null, metadata: {} },
    verifier: {
      ...{ on: 'patch', timeoutMs: 1000, env: {}, protect: [] },
      reader: { kind: 'reward' },
    },
    hash: `hash of ${name}`,
    ...change,
  };
}

/** A plan of so many entries of one scripted model. */
export function planOf(size: {
  tasks: readonly string[];
  entries: number;
  seeds: readonly number[];
}): RunPlan {
  return {
    ...{ runId: 'r1', name: 'test', tasksFolder: '/set', tasksHash: 'h', seeds: size.seeds },
    tasks: size.tasks.map((name) => taskNamed(name)),
    entries: Array.from({ length: size.entries }, (_, index) => ({
      ...{ label: `m${index} x leaf`, model: `script:m${index}`, modelName: `m${index}` },
      ...{ scaffold: 'leaf', scaffoldName: 'leaf', scaffoldHash: 'h' },
    })),
    settings: {
      ...{ maxSteps: 0, maxContextTokens: 0, maxTokensPerTurn: 0, timeLimitMs: 0, sampling: {} },
      ...{ workers: 2, infraRetries: 1, preset: null },
    },
    limits: { memoryBytes: 2 ** 30, cpus: 1, pids: 64, diskBytes: 2 ** 28, inodes: 1000 },
    environment: {},
  };
}

/** A cell of task `a`, graded after 10 seconds unless `change` says otherwise. */
export function storedCell(change: Partial<StoredCell>): StoredCell {
  const seed = change.seed ?? 0;
  return {
    ...{ runId: 'r1', sessionId: `s${seed}`, attemptId: `s${seed}.1`, task: 'a', entry: 0, seed },
    ...{ state: 'graded', tries: 1, resolved: false, reward: 0, exitReason: 'agent', detail: null },
    ...{ steps: 3, tokens: { prompt: null, completion: null, cached: null } },
    seconds: { model: 4, tools: 1, total: 8, grading: 2 },
    ...{ peakMemoryBytes: null, energyJoules: null },
    patch: { bytes: 0, files: 0, insertions: 0, deletions: 0, blob: null },
    ...{ grading: null, premature: false, suspicions: [], label: null },
    ...{ startedAt: 0, finishedAt: 10_000 },
    ...change,
  };
}
