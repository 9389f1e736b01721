import { describe, expect, it } from 'vitest';
import type { LibraryModel, ServerStatus } from '../../../src-main/contract/index.ts';
import { differ, formatParameters, memoryOf } from './figures.ts';
import { withLooks } from './use-models.ts';

describe('figures of models', () => {
  it('names parameters as people do', () => {
    expect(
      [4_022_468_096, 14_770_033_664, 134_515_008, 3_516_160, 999_600_000, 12, null].map(
        formatParameters,
      ),
    ).toEqual(['4.0B', '14.8B', '135M', '3.5M', '1.0B', '12', '?']);
  });

  it('takes the memory from where the weights are', () => {
    const sample = { memoryBytes: 10, gpuBytes: 200 };
    expect(memoryOf(sample, 'gpu')).toBe(200);
    expect(memoryOf(sample, 'split')).toBe(210);
    expect(memoryOf(sample, 'cpu')).toBe(10);
    expect(memoryOf({ memoryBytes: 10, gpuBytes: null }, 'gpu')).toBe(10);
    expect(memoryOf(null, 'gpu')).toBe(null);
  });

  it('tells licences that differ from one that is said twice', () => {
    const of = (...licences: string[]) =>
      differ(licences.map((licence) => ({ source: 'README.md', licence })));
    expect(of('apache-2.0', 'Apache License 2.0')).toBe(false);
    expect(of('Apache License, Version 2.0', 'apache-2.0')).toBe(false);
    expect(of('apache-2.0', 'mit')).toBe(true);
    expect(of('mit')).toBe(false);
    expect(of()).toBe(false);
  });
});

describe('list and looks together', () => {
  const row = (name: string, state: ServerStatus['state'], since: number) => ({
    model: { name } as LibraryModel,
    status: { name, state, since } as ServerStatus,
  });

  it('shows the newer state of the two, and a model without a look as the list has it', () => {
    const { status: loading } = row('one', 'loading', 20);
    const { status: old } = row('two', 'ready', 5);
    const entries = withLooks(
      [row('one', 'stopped', 10), row('two', 'stopped', 9), row('three', 'stopped', 1)],
      [
        { status: loading, sample: null },
        { status: old, sample: null },
      ],
    );
    expect(entries.map(({ status }) => status.state)).toEqual(['loading', 'stopped', 'stopped']);
  });
});
