import { expect, test } from 'vitest';
import type { Scaffold } from '../agent/index.ts';
import { settle, titleOf } from './settle.ts';

const scaffold = {
  limits: { maxSteps: 150, maxContextTokens: 131_072, maxTokensPerTurn: 8192, timeLimitMs: 1000 },
} as Scaffold;
const facts = { model: 'script:x', image: 'base' };
const request = { repository: '.', issue: 'x', model: 'script:x' };

test('defaults are one attempt with seed 1 and the limits of the scaffold', () => {
  expect(settle(request, {}, scaffold, facts)).toEqual({
    ...facts,
    runtime: null,
    verify: null,
    protect: [],
    include: [],
    attempts: 1,
    parallel: 1,
    seed: 1,
    maxSteps: 150,
    maxContextTokens: 131_072,
    timeLimitMs: 1000,
    driving: null,
    out: null,
  });
});

test('flags win over vivarium.yaml; protected files add up; parallel is at most attempts', () => {
  const settled = settle(
    { ...request, verify: 'make', protect: ['b'], attempts: 2, parallel: 9, maxSteps: 5 },
    { verify: 'pytest', protect: ['a'], limits: { steps: 7, context: 8, seconds: 9 } },
    scaffold,
    facts,
  );
  expect(settled).toMatchObject({
    verify: { command: 'make' },
    protect: ['a', 'b'],
    attempts: 2,
    parallel: 2,
    maxSteps: 5,
    maxContextTokens: 8,
    timeLimitMs: 9000,
  });
});

test("a model's profile comes after flags and files, before the scaffold", () => {
  const driving = { sampling: { temperature: 0.6 }, maxTokensPerTurn: 4096, maxInputTokens: null };
  const profile = { maxSteps: 40, maxContextTokens: 65_536, driving };
  expect(settle(request, {}, scaffold, facts, profile)).toMatchObject({
    ...{ maxSteps: 40, maxContextTokens: 65_536, driving },
  });
  const flagged = { ...request, maxContext: 1000 };
  const settled = settle(flagged, { limits: { steps: 7 } }, scaffold, facts, profile);
  expect(settled).toMatchObject({ maxSteps: 7, maxContextTokens: 1000, driving });
});

test.each([0, -1, 1.5, Number.NaN])('refuses %d attempts', (attempts) => {
  expect(() => settle({ ...request, attempts }, {}, scaffold, facts)).toThrow(
    expect.objectContaining({ code: 'usage' }) as Error,
  );
});

test.each([
  ['Plain words\nmore', 'Plain words'],
  ['\n\n## Heading\nbody', 'Heading'],
  ['> quoted', 'quoted'],
  ['x'.repeat(100), `${'x'.repeat(79)}…`],
  ['---', 'fix'],
])('title of %j is %j', (issue, title) => {
  expect(titleOf(issue)).toBe(title);
});
