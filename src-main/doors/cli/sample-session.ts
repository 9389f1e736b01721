/** Events and results for the tests of this door. */
import type { EventBody, EventOf, SessionResult, StoredEvent } from '../../contract/index.ts';

export const STEP: EventOf<'step.finished'> = {
  type: 'step.finished',
  step: 1,
  messages: [
    {
      role: 'assistant',
      content: 'I look first.',
      reasoning: 'The total is off.\nSo I read it.',
      toolCalls: [
        { id: 'c1', name: 'Read', arguments: '{"file_path":"shop/total.py","limit":20}' },
        { id: 'c2', name: 'Bash', arguments: '{"command":"pytest -q\\nls"}' },
      ],
    },
    { role: 'tool', toolCallId: 'c1', name: 'Read', content: '1\tdef total(items):\n' },
    {
      role: 'tool',
      toolCallId: 'c2',
      name: 'Bash',
      content: Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n'),
    },
  ],
  observations: [
    { callId: 'c1', tool: 'Read', isError: false, durationMs: 12, notes: [] },
    {
      callId: 'c2',
      tool: 'Bash',
      isError: true,
      durationMs: 2345,
      notes: ['the output was cut'],
      run: {
        exitCode: 1,
        signal: null,
        timedOut: false,
        outOfMemory: true,
        stdout: { bytes: 10, head: 'h', tail: null },
        stderr: { bytes: 0, head: 'h', tail: null },
      },
    },
  ],
  finish: 'calls',
  usage: { promptTokens: 1234, completionTokens: 56, cachedTokens: 1000 },
  timings: { modelMs: 2100, firstTokenMs: 100, toolsMs: 2357, ownMs: 3 },
  changes: [
    { kind: 'file', path: 'shop/total.py', executable: false, blob: 'b' },
    { kind: 'deleted', path: 'old.py' },
  ],
  refused: [],
  memory: { workspaceBytes: 220_200_960, modelBytes: null },
  retries: ['the server closed the stream'],
  notes: ['a call was found in the content'],
};

export const FINISHED: EventOf<'attempt.finished'> = {
  type: 'attempt.finished',
  exitReason: 'agent',
  detail: null,
  steps: 1,
  finalMessage: 'Done.',
  usage: { promptTokens: 1234, completionTokens: 56, cachedTokens: 1000 },
  seconds: { model: 2.1, tools: 2.357, total: 5 },
  peakMemoryBytes: 220_200_960,
};

/** Bodies as events of attempt `a1`, numbered from 1. */
export function stored(...bodies: EventBody[]): StoredEvent[] {
  return bodies.map((body, index) => ({
    number: index + 1,
    sessionId: 's1',
    attemptId: body.type.startsWith('session.') ? null : 'a1',
    at: 1000 * index,
    body,
  }));
}

const RUN = {
  exitCode: 0,
  passed: true,
  reason: null,
  seconds: 1,
  runner: 'pytest',
  tests: [],
  outputTail: '',
} satisfies NonNullable<SessionResult['verification']>['after'];

export const RESULT: SessionResult = {
  sessionId: 's1abc',
  outcome: 'verified',
  repository: '/home/ann/my shop',
  model: 'tadpole',
  scaffold: 'leaf',
  attempts: [
    {
      attemptId: 's1abc.1',
      number: 1,
      seed: 1,
      exitReason: 'agent',
      detail: null,
      steps: 6,
      tokens: { prompt: 12_345, completion: 678, cached: 9000 },
      seconds: { model: 12.3, tools: 1.2, total: 15 },
      peakMemoryBytes: 220_200_960,
      verified: true,
    },
  ],
  patch: {
    attemptId: 's1abc.1',
    file: '/out/s1abc.patch',
    sha256: 'f'.repeat(64),
    files: [
      { path: 'shop/total.py', status: 'modified', insertions: 3, deletions: 2 },
      { path: 'logo.png', status: 'added', insertions: null, deletions: null },
    ],
    insertions: 3,
    deletions: 2,
    flags: [
      { kind: 'binary', path: 'logo.png', line: null, detail: '' },
      { kind: 'risky_calls', path: 'shop/total.py', line: 12, detail: 'os.system' },
    ],
    leftOut: [],
    appliesToWorkingTree: true,
  },
  leftOut: [{ path: 'build/x.o', reason: 'ignored by .gitignore' }],
  verification: {
    command: 'pytest -q',
    before: { ...RUN, exitCode: 1, passed: false },
    after: RUN,
    restored: ['tests/test_total.py'],
    regressions: [],
    fixed: [],
    passed: true,
    summary: 'failed before, passes with the patch',
  },
  detail: null,
};
