/** Runs on record for the tests of this folder: real stores with real events. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventBody, EventOf, Grading } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { completeCell } from '../runs/complete-cell.ts';
import type { ExportSource } from './types.ts';

type Turn = EventOf<'step.finished'>;

/** 2026-01-02T03:04:05Z; each event is a second later than the one before. */
export const BEGUN = Date.UTC(2026, 0, 2, 3, 4, 5);
export const LOG = Buffer.from('1 passed\ncaf\xe9\n', 'latin1');
/** What a turn that names it as its `tokens` holds. */
export const TOKENS = Buffer.from(
  JSON.stringify({ prompt: [5, 6], completion: [7], logprobs: [-0.25] }),
);
const UNKNOWN = { promptTokens: null, completionTokens: null, cachedTokens: null };

export interface TestRun {
  /** Can be the home of the app: its record lies there. */
  folder: string;
  store: Store;
  source(): ExportSource;
  close(): void;
}

/** An empty run of an entry with Leaf and one with R2E-Gym, unless `change` says otherwise. */
export function testRun(change: Partial<EventOf<'run.created'>> = {}): TestRun {
  const folder = mkdtempSync(path.join(tmpdir(), 'vivarium-export-'));
  let clock = BEGUN - 1000;
  const store = openStore(path.join(folder, 'vivarium.db'), { now: () => (clock += 1000) });
  store.append({ sessionId: 'r1', attemptId: null, body: { ...created(), ...change } });
  return {
    ...{ folder, store },
    source() {
      const body = store.events({ sessionId: 'r1', limit: 1 })[0]?.body;
      if (body?.type !== 'run.created') throw new Error('no run');
      return {
        ...{ run: store.run('r1'), created: body, store, version: '0.1.0' },
        cells: store.cells('r1').map(completeCell),
      };
    },
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function created(): EventOf<'run.created'> {
  const entry = (scaffold: string) => ({
    ...{ label: `frog x ${scaffold}`, model: 'frog', modelName: 'frog' },
    ...{ scaffold, scaffoldName: scaffold, scaffoldHash: 'h' },
  });
  return {
    ...{ type: 'run.created', name: 'set', tasksFolder: '/sets/set', tasksHash: 'th' },
    tasks: ['one', 'two'].map((name) => ({ name, hash: `hash of ${name}` })),
    entries: [entry('leaf'), entry('r2egym')],
    seeds: [0],
    settings: {
      ...{ maxSteps: 5, maxContextTokens: 1000, maxTokensPerTurn: 100, timeLimitMs: 60_000 },
      ...{ sampling: { temperature: 0.6 }, workers: 1, infraRetries: 1, preset: null },
    },
    environment: { vivarium: '0.1.0' },
    owner: 'pid of the test',
  };
}

export interface TestCell {
  task: string;
  entry?: number;
  seed?: number;
  /** Attempt of the cell; default 1. */
  number?: number;
  turns?: readonly Partial<Turn>[];
  opened?: boolean;
  /** What it begins with, in place of two words. */
  opening?: Pick<EventOf<'attempt.opened'>, 'messages' | 'tools'>;
  patch?: Uint8Array | null;
  exitReason?: EventOf<'attempt.finished'>['exitReason'];
  finalMessage?: string | null;
  /** `null` = no verdict came. */
  grading?: Partial<Grading> | null;
}

/** Records a cell to its end; returns the id of its session. */
export function addCell({ store }: Pick<TestRun, 'store'>, cell: TestCell): string {
  const { task, entry = 0, seed = 0, number = 1, turns = [], patch = null } = cell;
  const sessionId = `s-${task}-${entry}-${seed}`;
  const attemptId = `${sessionId}.${number}`;
  const say = (body: EventBody, blobs: readonly Uint8Array[] = [], own = false) =>
    store.append({ sessionId, attemptId: own ? null : attemptId, body, blobs });
  say(sessionBody(task, entry, seed), [], true);
  const owner = 'me';
  say({ type: 'attempt.started', number, seed, owner, resumedFromStep: null });
  if (cell.opened !== false) say({ ...openedBody(entry), ...cell.opening });
  turns.forEach((turn, index) => say(turnBody(index + 1, turn), [LOG, TOKENS]));
  say(endedBody(cell, turns.length));
  say(patchBody(patch), patch === null ? [] : [patch]);
  if (cell.grading !== null) {
    say({ type: 'grading.finished', result: gradingOf(cell.grading), again: false }, [LOG]);
  }
  return sessionId;
}

function sessionBody(task: string, entry: number, seed: number): EventOf<'session.created'> {
  return {
    ...{
      type: 'session.created',
      repository: `/sets/set/${task}`,
      title: task,
      issue: `Fix ${task}.`,
    },
    model: {
      ...{ engine: 'vllm', name: 'frog', spec: 'frog', contextTokens: 1000, sha256: null },
      details: {},
    },
    scaffold: { name: entry === 0 ? 'leaf' : 'r2egym', hash: 'h', file: null },
    request: { image: 'sha256:1', maxSteps: 5, maxContextTokens: 1000, timeLimitMs: 60_000 },
    limits: { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 },
    owner: 'me',
    cell: { runId: 'r1', task, taskHash: `hash of ${task}`, entry, seed },
  };
}

function openedBody(entry: number): EventOf<'attempt.opened'> {
  const tool = { name: 'Bash', description: 'Runs.', parameters: { type: 'object' } };
  return {
    type: 'attempt.opened',
    messages: [
      { role: 'system', content: 'You fix bugs.' },
      { role: 'user', content: 'Fix it.' },
    ],
    tools: entry === 0 ? [tool] : [],
  };
}

function turnBody(step: number, change: Partial<Turn>): Turn {
  return {
    ...{ type: 'step.finished', step, messages: [], observations: [], finish: 'calls' },
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 50 },
    timings: { modelMs: 400, firstTokenMs: 100, toolsMs: 200.5, ownMs: 1.5 },
    ...{ changes: [], refused: [], retries: [], notes: [] },
    memory: { workspaceBytes: null, modelBytes: null },
    ...change,
  };
}

function endedBody(cell: TestCell, steps: number): EventOf<'attempt.finished'> {
  return {
    ...{ type: 'attempt.finished', exitReason: cell.exitReason ?? 'agent', detail: null, steps },
    finalMessage: cell.finalMessage === undefined ? 'Done.' : cell.finalMessage,
    usage:
      steps === 0
        ? UNKNOWN
        : { promptTokens: 100 * steps, completionTokens: 10 * steps, cachedTokens: 50 * steps },
    seconds: { model: 0.4 * steps, tools: 0.2 * steps, total: steps },
    peakMemoryBytes: null,
  };
}

function patchBody(patch: Uint8Array | null): EventOf<'patch.made'> {
  const blob = patch === null ? null : sha256(patch);
  return {
    ...{ type: 'patch.made', sha256: blob ?? sha256(''), blob, tree: 't', source: 'live' },
    files:
      patch === null ? [] : [{ path: 'a.py', status: 'modified', insertions: 1, deletions: 1 }],
    ...{ insertions: 1, deletions: 1, flags: [], leftOut: [] },
  };
}

function gradingOf(change: Partial<Grading> = {}): Grading {
  return {
    ...{ state: 'graded', infra: null, resolved: true, reward: 1, rewards: {}, applied: true },
    failToPass: { expected: 1, met: 1, unmet: [] },
    passToPass: { expected: 0, met: 0, unmet: [] },
    ...{ tests: { PASSED: 1 }, exitCode: 0, seconds: 4, readBy: 'pytest' },
    ...{ evidence: { 'verifier.log': sha256(LOG) }, summary: '1 of 1 fixed' },
    ...change,
  };
}

/** A verdict of a workspace that was lost. */
export const INFRA: Partial<Grading> = {
  ...{ state: 'infra', resolved: false, reward: null, applied: false },
  infra: { reason: 'container_unavailable', detail: 'gone' },
};

/** A turn that calls Leaf's Bash, and its result. */
export function bashTurn(command: string, result: string): Partial<Turn> {
  const call = { id: 'call_1', name: 'Bash', arguments: JSON.stringify({ command }) };
  return {
    messages: [
      { role: 'assistant', content: 'I look.', reasoning: 'Hm.', toolCalls: [call] },
      { role: 'tool', toolCallId: 'call_1', name: 'Bash', content: result },
    ],
    observations: [
      {
        ...{ callId: 'call_1', tool: 'Bash', isError: false, durationMs: 200.5, notes: [] },
        run: {
          ...{ exitCode: 0, signal: null, timedOut: false, outOfMemory: false },
          stdout: { bytes: LOG.length, head: sha256(LOG), tail: null },
          stderr: { bytes: 0, head: sha256(LOG), tail: null },
        },
      },
    ],
  };
}

/** A turn whose call stands in its text, answered by a user turn. */
export function textTurn(cmd: string, result: string): Partial<Turn> {
  const call = `<function=execute_bash>\n  <parameter=cmd>${cmd}</parameter>\n</function>`;
  return {
    messages: [
      { role: 'assistant', content: `I look.\n\n${call}` },
      { role: 'user', content: result },
    ],
    observations: [
      {
        ...{ callId: 'call_t', tool: 'execute_bash', isError: false, durationMs: 200.5, notes: [] },
        arguments: JSON.stringify({ cmd }),
      },
    ],
  };
}

/** The turn that ends an attempt. */
export function lastTurn(content: string): Partial<Turn> {
  return { messages: [{ role: 'assistant', content }], finish: 'stop' };
}
