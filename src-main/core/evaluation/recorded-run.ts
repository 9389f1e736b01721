/** For tests and pictures: a run on record as an engine would have left it, with no chance in it. */
import type { EventOf, ExitReason, Grading, Suspicion } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
import type { Store } from '../../store/index.ts';

const LIMITS = { memoryBytes: 2 ** 30, cpus: 1, pids: 100, diskBytes: 2 ** 30, inodes: 100_000 };

export interface RecordedRun {
  runId?: string;
  name?: string;
  tasks?: readonly string[];
  entries?: readonly string[];
  seeds?: number;
  state?: 'done' | 'stopped' | 'running';
  /** Solved is drawn from this and the cell's place, so that two runs differ. */
  luck?: number;
  /** Of a run that goes on: how many cells have begun, and how many of these run. */
  begun?: number;
  running?: number;
  /** Of the process that runs it; a dead one's runs are interrupted by the next start. */
  owner?: string;
}

interface Place {
  runId: string;
  task: string;
  entry: number;
  seed: number;
  label: string;
  /** 0 to 1, always the same for a place. */
  draw: number;
}

/** Appends a run and its cells. @returns session ids of its cells, by entry, task and seed */
export function recordRun(store: Store, options: RecordedRun = {}): string[] {
  const { runId = 'r1', entries = ['frog-nano x leaf'], seeds = 3, state = 'done' } = options;
  const tasks = options.tasks ?? ['totals', 'tax'];
  store.append({
    ...{ sessionId: runId, attemptId: null },
    body: createdBody({ ...options, entries, tasks, seeds }),
  });
  const places = entries.flatMap((label, entry) =>
    tasks.flatMap((task, at) =>
      Array.from({ length: seeds }, (_, seed) => ({
        ...{ runId, task, entry, seed, label },
        draw: fraction(at * 31 + seed * 7 + entry * 3 + (options.luck ?? 0)),
      })),
    ),
  );
  const begun = places.slice(0, options.begun ?? places.length);
  const running = options.running ?? 0;
  const sessions = begun.map((place, at) =>
    recordCell(
      store,
      place,
      options.owner ?? 'me',
      at >= begun.length - running ? 'running' : 'ended',
    ),
  );
  if (state !== 'running') {
    const body = { type: 'run.finished' as const, outcome: state, detail: null };
    store.append({ sessionId: runId, attemptId: null, body });
  }
  return sessions;
}

function createdBody(
  options: Required<Pick<RecordedRun, 'entries' | 'tasks' | 'seeds'>> & RecordedRun,
): EventOf<'run.created'> {
  return {
    type: 'run.created',
    name: options.name ?? 'shop',
    ...{ tasksFolder: '/home/ann/tasks/shop', tasksHash: 'ab'.repeat(32) },
    tasks: options.tasks.map((name) => ({ name, hash: `hash of ${name}` })),
    entries: options.entries.map((label) => {
      const [modelName = '', scaffoldName = ''] = label.split(' x ');
      return {
        ...{ label, model: modelName, modelName, scaffold: scaffoldName, scaffoldName },
        scaffoldHash: 'cd'.repeat(32),
      };
    }),
    seeds: Array.from({ length: options.seeds }, (_, seed) => seed),
    settings: {
      ...{ maxSteps: 40, maxContextTokens: 32_768, maxTokensPerTurn: 8_192, timeLimitMs: 1.8e6 },
      ...{ sampling: { temperature: 0.6 }, workers: 4, infraRetries: 2, preset: null },
    },
    environment: { vivarium: '0.1.0', processor: 'a processor', cores: '8' },
    owner: options.owner ?? 'me',
  };
}

function recordCell(store: Store, place: Place, owner: string, how: 'running' | 'ended'): string {
  const { runId, task, entry, seed, label, draw } = place;
  const sessionId = `${runId}-${entry}-${task}-${seed}`;
  const attemptId = `${sessionId}.1`;
  const ofSession = { sessionId, attemptId: null };
  const ofAttempt = { sessionId, attemptId };
  const cell = { runId, task, taskHash: `hash of ${task}`, entry, seed };
  const [modelName = '', scaffold = ''] = label.split(' x ');
  store.append({
    ...ofSession,
    body: {
      type: 'session.created',
      ...{ repository: `/home/ann/tasks/shop/${task}`, title: task, issue: `Mend ${task}.\n` },
      model: {
        ...{ engine: 'llamacpp', name: modelName, spec: modelName, contextTokens: 32_768 },
        ...{ sha256: null, details: {} },
      },
      scaffold: { name: scaffold, hash: 'cd'.repeat(32), file: null },
      ...{ request: {}, limits: LIMITS, owner, cell },
    },
  });
  const started = { number: 1, seed, owner, resumedFromStep: null };
  store.append({ ...ofAttempt, body: { type: 'attempt.started', ...started } });
  const steps = 3 + Math.floor(draw * 30);
  store.append({ ...ofAttempt, body: stepBody(how === 'running' ? 4 : steps) });
  if (how === 'running') return sessionId;
  store.append({ ...ofAttempt, body: endedBody(draw, steps) });
  const solved = draw > 0.6;
  store.append({ ...ofAttempt, body: patchBody(draw), blobs: [PATCH] });
  store.append({
    ...ofAttempt,
    body: { type: 'grading.finished', result: gradingOf(draw, solved), again: false },
  });
  const suspicions = suspicionsOf(draw, steps);
  const premature = draw > 0.2 && draw < 0.3;
  store.append({
    ...ofAttempt,
    body: { type: 'cell.analysed', premature, suspicions, energyJoules: null },
  });
  const outcome = solved ? 'verified' : 'not_verified';
  store.append({
    ...ofSession,
    body: { type: 'session.finished', outcome, attemptId, detail: null },
  });
  return sessionId;
}

function stepBody(step: number): EventOf<'step.finished'> {
  return {
    ...{ type: 'step.finished', step, observations: [], finish: 'calls' },
    messages: [{ role: 'assistant', content: 'I look at the file.' }],
    usage: { promptTokens: 9_000, completionTokens: 210, cachedTokens: 8_400 },
    timings: { modelMs: 4_100, firstTokenMs: 300, toolsMs: 500, ownMs: 2 },
    ...{ changes: [], refused: [], retries: [], notes: [] },
    memory: { workspaceBytes: 90_000_000, modelBytes: null },
  };
}

function endedBody(draw: number, steps: number): EventOf<'attempt.finished'> {
  const reasons: ExitReason[] = ['agent', 'agent', 'agent', 'max_turns', 'max_context_len', 'loop'];
  const seconds = steps * 4.6;
  return {
    type: 'attempt.finished',
    exitReason: draw > 0.6 ? 'agent' : (reasons[Math.floor(draw * 10) % 6] ?? 'agent'),
    ...{ detail: null, steps, finalMessage: 'Done.' },
    usage: {
      promptTokens: steps * 9_000,
      completionTokens: steps * 210,
      cachedTokens: steps * 8_400,
    },
    seconds: { model: seconds * 0.8, tools: seconds * 0.15, total: seconds },
    peakMemoryBytes: 120_000_000 + Math.floor(draw * 1e8),
  };
}

const PATCH = Buffer.from('--- a/shop.py\n+++ b/shop.py\n@@ -1 +1 @@\n-age > 18\n+age >= 18\n');

/** One of ten has changed nothing. */
function patchBody(draw: number): EventOf<'patch.made'> {
  const isEmpty = draw > 0.3 && draw < 0.4;
  const change = { path: 'shop.py', status: 'modified' as const, insertions: 1, deletions: 1 };
  return {
    type: 'patch.made',
    ...{ sha256: sha256(PATCH), blob: isEmpty ? null : sha256(PATCH), tree: 't' },
    ...{ files: isEmpty ? [] : [change], insertions: 1, deletions: 1 },
    ...{ flags: [], leftOut: [], source: 'live' },
  };
}

function gradingOf(draw: number, solved: boolean): Grading {
  const isInfra = draw > 0.1 && draw < 0.13;
  const fixed = solved ? 2 : Math.floor(draw * 3.2);
  const broken = !solved && draw < 0.15 ? 1 : 0;
  const unmet = Array.from({ length: 2 - Math.min(2, fixed) }, (_, at) => ({
    name: `tests/test_shop.py::test_case_${at + 1}`,
    status: 'FAILED' as const,
  }));
  const lost = Array.from({ length: broken }, () => ({
    name: 'tests/test_shop.py::test_still_works',
    status: 'FAILED' as const,
  }));
  const common = { rewards: {}, applied: true, exitCode: solved ? 0 : 1, seconds: 6 };
  if (isInfra) {
    return {
      ...{ ...common, state: 'infra', resolved: false, reward: null, exitCode: null },
      infra: { reason: 'out_of_memory', detail: 'the kernel ended the tests for memory' },
      ...{ failToPass: null, passToPass: null, tests: null, readBy: 'junit', evidence: {} },
      summary: 'no verdict: the kernel ended the tests for memory',
    };
  }
  return {
    ...{ ...common, state: 'graded', infra: null, resolved: solved, reward: Number(solved) },
    failToPass: { expected: 2, met: 2 - unmet.length, unmet },
    passToPass: { expected: 12, met: 12 - lost.length, unmet: lost },
    tests: { PASSED: 14 - unmet.length - lost.length, FAILED: unmet.length + lost.length },
    ...{ readBy: 'junit', evidence: {} },
    summary: `${2 - unmet.length} of 2 fixed, ${12 - lost.length} of 12 kept`,
  };
}

function suspicionsOf(draw: number, steps: number): Suspicion[] {
  if (draw > 0.93) {
    const evidence = 'git log --all --oneline -- shop.py';
    return [{ kind: 'history_searched', step: Math.min(steps, 3), evidence }];
  }
  if (draw < 0.05) {
    const evidence = 'assert total == 18 was removed from tests/test_shop.py';
    return [{ kind: 'tests_weakened', step: steps, evidence }];
  }
  return [];
}

/** Between 0 and 1, as if by chance, the same for the same number. */
function fraction(n: number): number {
  const value = Math.sin((n + 1) * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}
