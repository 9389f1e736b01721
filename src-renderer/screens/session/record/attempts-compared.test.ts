import { expect, it } from 'vitest';
import type { EventOf, SessionResult } from '../../../../src-main/contract/index.ts';
import { comparedAttempts, scalesOf } from './attempts-compared.ts';
import { recordOf, startedBody, stepBody } from './testing.ts';

const attempt = (number: number): SessionResult['attempts'][number] => ({
  ...{ attemptId: `s.${number}`, number, seed: number, exitReason: 'agent', detail: null },
  ...{ steps: 1, tokens: { prompt: null, completion: null, cached: null } },
  ...{ seconds: { model: 0, tools: 0, total: 0 }, peakMemoryBytes: null, verified: null },
});
const PATCH: EventOf<'patch.made'> = {
  ...{ type: 'patch.made', sha256: 'a', files: [], insertions: 3, deletions: 1, flags: [] },
  ...{ leftOut: [], blob: 'a', tree: 't', source: 'live' },
};

it('sets each attempt beside the others with its own patch and figures, on common scales', () => {
  const usage = { promptTokens: 900, completionTokens: 100, cachedTokens: null };
  const memory = { workspaceBytes: 5000, modelBytes: null };
  const events = recordOf([
    ['s.1', startedBody(1)],
    ['s.2', startedBody(2)],
    [
      's.2',
      stepBody(1, { usage, timings: { modelMs: 1500, firstTokenMs: 1, toolsMs: 400, ownMs: 100 } }),
    ],
    ['s.1', stepBody(1, { memory })],
    ['s.1', PATCH],
  ]);
  const result = {
    attempts: [attempt(1), attempt(2)],
    patch: { attemptId: 's.1' },
  } as SessionResult;
  const compared = comparedAttempts(result, events);
  expect(compared.map(({ patch, isResult }) => [patch?.insertions, isResult])).toEqual([
    [3, true],
    [undefined, false],
  ]);
  expect(compared.map(({ series }) => series.spans.length)).toEqual([1, 1]);
  expect(scalesOf(compared)).toEqual({ seconds: 2, contextTokens: 1000, workspaceBytes: 5000 });
  expect(scalesOf([])).toEqual({ seconds: 0, contextTokens: 0, workspaceBytes: 0 });
});
