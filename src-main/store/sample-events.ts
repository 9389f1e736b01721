/** Events for the tests of this room. */
import type { EventOf, EventType } from '../contract/index.ts';
import { sha256 } from '../lib/index.ts';
import type { NewEvent, Store } from './types.ts';

const LIMITS = { memoryBytes: 1, cpus: 1, pids: 1, diskBytes: 1, inodes: 1 };

const NO_OUTPUT = {
  passed: true,
  reason: null,
  seconds: 1,
  runner: 'exit-code',
  tests: [],
} as const;

const SAMPLES: { [T in EventType]: EventOf<T> } = {
  'session.created': {
    type: 'session.created',
    repository: '/home/ann/shop',
    title: 'Totals are off by one',
    issue: 'Totals are off by one.\n',
    model: {
      engine: 'scripted',
      name: 'sample',
      spec: 'script:replies.jsonl',
      contextTokens: null,
      sha256: null,
      details: {},
    },
    scaffold: { name: 'leaf', hash: 'h', file: null },
    request: {},
    limits: LIMITS,
    owner: 'me',
  },
  'snapshot.taken': {
    type: 'snapshot.taken',
    gitDir: '/snapshots/1',
    baseCommit: 'c',
    tree: 't',
    startCommit: 's',
    files: 1,
    bytes: 1,
    dirty: { modified: 0, untracked: 0 },
    notCarried: [],
    seconds: 1,
  },
  'attempt.started': {
    type: 'attempt.started',
    number: 1,
    seed: 7,
    owner: 'me',
    resumedFromStep: null,
  },
  'workspace.opened': {
    type: 'workspace.opened',
    workspace: 'w',
    attestation: { imageId: 'i', runtime: 'runc', engine: '28', rows: [] },
    seconds: 1,
  },
  'attempt.opened': { type: 'attempt.opened', messages: [], tools: [] },
  'step.finished': {
    type: 'step.finished',
    step: 1,
    messages: [{ role: 'assistant', content: 'I look at the file.' }],
    observations: [],
    finish: 'calls',
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 50 },
    timings: { modelMs: 1500, firstTokenMs: 100, toolsMs: 500, ownMs: 1 },
    changes: [],
    refused: [],
    memory: { workspaceBytes: 1000, modelBytes: null },
    retries: [],
    notes: [],
  },
  'attempt.finished': {
    type: 'attempt.finished',
    exitReason: 'agent',
    detail: null,
    steps: 1,
    finalMessage: 'Done.',
    usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 50 },
    seconds: { model: 1.5, tools: 0.5, total: 2 },
    peakMemoryBytes: 1000,
  },
  'patch.made': {
    type: 'patch.made',
    sha256: sha256(Buffer.from('patch')),
    blob: sha256(Buffer.from('patch')),
    tree: 't2',
    files: [{ path: 'shop.py', status: 'modified', insertions: 3, deletions: 2 }],
    insertions: 3,
    deletions: 2,
    flags: [],
    leftOut: [],
    source: 'live',
  },
  'verification.finished': {
    type: 'verification.finished',
    result: {
      command: 'pytest',
      before: { ...NO_OUTPUT, tests: [], exitCode: 1, passed: false, outputTail: '' },
      after: { ...NO_OUTPUT, tests: [], exitCode: 0, outputTail: '' },
      restored: [],
      regressions: [],
      fixed: [],
      passed: true,
      summary: 'fails before, passes after',
    },
  },
  'patch.exported': {
    type: 'patch.exported',
    files: [],
    appliesToWorkingTree: true,
    appliesDetail: null,
  },
  'review.decided': {
    type: 'review.decided',
    patch: sha256(Buffer.from('patch')),
    hunks: ['0.0'],
    decision: 'rejected',
  },
  'review.noted': {
    type: 'review.noted',
    patch: sha256(Buffer.from('patch')),
    note: { id: 'n1', path: 'shop.py', line: 3, text: 'Why 3?' },
  },
  'review.noteRemoved': { type: 'review.noteRemoved', id: 'n1' },
  'run.created': {
    type: 'run.created',
    name: 'shop',
    tasksFolder: '/sets/shop',
    tasksHash: 'th',
    tasks: [
      { name: 'totals', hash: 't1' },
      { name: 'tax', hash: 't2' },
    ],
    entries: [
      {
        label: 'sample x leaf',
        model: 'script:replies.jsonl',
        modelName: 'sample',
        scaffold: 'leaf',
        scaffoldName: 'leaf',
        scaffoldHash: 'h',
      },
    ],
    seeds: [0, 1],
    settings: {
      maxSteps: 5,
      maxContextTokens: 1000,
      maxTokensPerTurn: 100,
      timeLimitMs: 1000,
      sampling: {},
      workers: 1,
      infraRetries: 2,
      preset: null,
    },
    environment: {},
    owner: 'me',
  },
  'run.resumed': { type: 'run.resumed', owner: 'you' },
  'run.finished': { type: 'run.finished', outcome: 'done', detail: null },
  'grading.finished': {
    type: 'grading.finished',
    result: {
      state: 'graded',
      infra: null,
      resolved: true,
      reward: 1,
      rewards: {},
      applied: true,
      failToPass: { expected: 1, met: 1, unmet: [] },
      passToPass: { expected: 2, met: 2, unmet: [] },
      tests: { PASSED: 3 },
      exitCode: 0,
      seconds: 4,
      readBy: 'junit',
      evidence: { log: sha256(Buffer.from('log')) },
      summary: '1 of 1 fixed, 2 of 2 kept',
    },
    again: false,
  },
  'cell.analysed': { type: 'cell.analysed', premature: false, suspicions: [], energyJoules: null },
  'cell.labelled': { type: 'cell.labelled', label: 'flaky', note: 'see log' },
  note: { type: 'note', level: 'info', text: 'n' },
  'session.interrupted': { type: 'session.interrupted', detail: 'd' },
  'session.finished': {
    type: 'session.finished',
    outcome: 'verified',
    attemptId: 'a1',
    detail: null,
  },
};

const OF_THE_SESSION: ReadonlySet<EventType> = new Set([
  'session.created',
  'snapshot.taken',
  'session.interrupted',
  'session.finished',
  'patch.exported',
  'run.created',
  'run.resumed',
  'run.finished',
  'cell.labelled',
]);

/** A well-formed event of a kind; `change` overrides members of its body. */
export function sample<T extends EventType>(
  type: T,
  change: Partial<Omit<EventOf<T>, 'type'>> = {},
  ids: { sessionId?: string; attemptId?: string } = {},
): NewEvent {
  const body: EventOf<T> = { ...SAMPLES[type], ...change };
  return {
    sessionId: ids.sessionId ?? 's1',
    attemptId: OF_THE_SESSION.has(type) ? null : (ids.attemptId ?? 'a1'),
    body,
    ...(type === 'patch.made' ? { blobs: [Buffer.from('patch')] } : {}),
    ...(type === 'grading.finished' ? { blobs: [Buffer.from('log')] } : {}),
  };
}

/** A session with one open attempt. */
export function begin(store: Store, sessionId = 's1', attemptId = 'a1'): void {
  store.append(sample('session.created', {}, { sessionId }));
  store.append(sample('attempt.started', {}, { sessionId, attemptId }));
}
