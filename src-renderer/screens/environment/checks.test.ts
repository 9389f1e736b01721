import { describe, expect, it } from 'vitest';
import type { DoctorRow } from '../../../src-main/contract/index.ts';
import { checkAction, checkCounts, checkWords, sortedChecks } from './checks.ts';
import { diskParts, lookOf } from './disk-parts.ts';

const row = (name: string, state: DoctorRow['state'], required = false): DoctorRow => ({
  ...{ name, state, required },
  ...{ found: 'x', remedy: null },
});

describe('rows of the doctor', () => {
  const rows = [
    row('git', 'ok', true),
    row('engine vllm', 'missing'),
    row('disk', 'warning', true),
    row('docker', 'missing', true),
    row('gpu', 'warning'),
  ];

  it('begin with what keeps a fix from running', () => {
    expect(sortedChecks(rows).map(({ name }) => name)).toEqual([
      ...['docker', 'disk', 'engine vllm', 'gpu', 'git'],
    ]);
    expect(checkCounts(rows)).toEqual({ missing: 1, rest: 3 });
  });

  it('have a button where we can do it', () => {
    expect(checkAction(row('image', 'missing'))).toEqual({ kind: 'build' });
    expect(checkAction(row('image', 'ok'))).toBe(null);
    expect(checkAction(row('disk', 'warning'))).toEqual({ kind: 'clean' });
    expect(checkAction(row('memory', 'warning'))).toEqual({ kind: 'models' });
    expect(checkAction(row('model frog', 'missing'))).toEqual({ kind: 'model', name: 'frog' });
    expect(checkAction(row('engine vllm (of frog, toad)', 'warning'))).toEqual({
      ...{ kind: 'model', name: 'frog' },
    });
    expect(checkAction(row('engine vllm', 'missing'))).toBe(null);
    expect(checkAction(row('docker', 'missing', true))).toBe(null);
  });
});

describe('parts of the disk', () => {
  it('have the largest first, leave out what takes nothing, and never look the same', () => {
    const { parts, usedBytes } = diskParts({
      parts: [
        { name: 'logs', bytes: 1 },
        { name: 'models', bytes: 70 },
        { name: 'cache', bytes: 0 },
        { name: 'images', bytes: 9 },
      ],
    });
    expect(parts.map(({ name, look }) => [name, look])).toEqual([
      ['models', 1],
      ['images', 2],
      ['logs', 3],
    ]);
    expect(usedBytes).toBe(80);
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(lookOf)).size).toBe(8);
  });
});

it.each([
  ['docker', 'Docker'],
  ['gpu 0', 'GPU 0'],
  ['engine vllm (of frog)', 'Engine vllm (of frog)'],
  ['model frog', 'Model frog'],
  ['something new', 'something new'],
])('%s is called %s', (name, words) => {
  expect(checkWords(name)).toBe(words);
});
