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
