import { describe, expect, it } from 'vitest';
import {
  ageGroup,
  formatAge,
  formatChanges,
  formatCount,
  formatDuration,
  formatElapsed,
  formatShare,
  formatSize,
  formatSizeOf,
  formatTokens,
} from './format.ts';

const GIB = 2 ** 30;
const NOW = new Date(2026, 10, 29, 15, 0, 0).getTime();
const before = (seconds: number) => NOW - seconds * 1000;

describe('figures for people', () => {
  it.each([
    [null, '?'],
    [0, '0 B'],
    [1000, '1000 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [1024 * 1024 - 1, '1.0 MiB'],
    [312 * 2 ** 20, '312 MiB'],
    [11.2 * GIB, '11.2 GiB'],
    [5000 * 2 ** 40, '5000 TiB'],
    [-2048, '\u22122.0 KiB'],
  ])('%j bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  it('names a unit once where both sizes have it', () => {
    expect(formatSizeOf(11.2 * GIB, 24 * GIB)).toBe('11.2 of 24.0 GiB');
    expect(formatSizeOf(212 * 2 ** 20, 2 * GIB)).toBe('212 MiB of 2.0 GiB');
    expect(formatSizeOf(null, 2 * GIB)).toBe('? of 2.0 GiB');
  });

  it.each([
    [-300, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [1000, '1 s'],
    [9999, '9 s'],
    [59_999, '59 s'],
    [185_400, '3 min 05 s'],
  ])('%j ms that still run are %s', (milliseconds, text) => {
    expect(formatElapsed(milliseconds)).toBe(text);
  });

  it.each([
    [null, '?'],
    [-5, '0 ms'],
    [4, '4 ms'],
    [999.6, '1.0 s'],
    [2400, '2.4 s'],
    [9960, '10 s'],
    [59_600, '1 min 00 s'],
    [108_000, '1 min 48 s'],
    [3_720_000, '1 h 02 min'],
    [47 * 3_600_000, '47 h 00 min'],
    [50 * 3_600_000, '2 d'],
  ])('%j ms are %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it.each([
    [before(-60), 'just now'],
    [before(9), 'just now'],
    [before(30), '30 s ago'],
    [before(41 * 60 + 59), '41 min ago'],
    [before(2 * 3600), '2 h ago'],
    [before(14 * 3600), '14 h ago'],
    [before(16 * 3600), 'yesterday'],
    [before(38 * 3600), 'yesterday'],
    [before(3 * 86_400), '3 d ago'],
    [before(30 * 86_400), '30 Oct 2026'],
  ])('%j is %s', (at, text) => {
    expect(formatAge(at, NOW)).toBe(text);
  });

  it('says hours, not yesterday, just after midnight', () => {
    const night = new Date(2026, 10, 29, 1, 0, 0).getTime();
    expect(formatAge(night - 3 * 3_600_000, night)).toBe('3 h ago');
  });

  it.each([
    [0, 'today'],
    [16 * 3600, 'yesterday'],
    [3 * 86_400, 'week'],
    [8 * 86_400, 'older'],
  ] as const)('%j seconds ago belong to %s', (seconds, group) => {
    expect(ageGroup(before(seconds), NOW)).toBe(group);
  });

  it.each([
    [null, '?'],
    [999, '999'],
    [1000, '1K'],
    [18_432, '18.4K'],
    [131_072, '131K'],
    [999_499, '999K'],
    [999_500, '1M'],
    [1_240_000, '1.2M'],
  ])('%j tokens are %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it('never rounds a share to nothing or to all', () => {
    expect(
      [null, Number.NaN, 0, 0.001, 0.5, 0.96, 0.9999, 1].map((share) => formatShare(share)),
    ).toEqual(['?', '?', '0 %', '<1 %', '50 %', '96 %', '>99 %', '100 %']);
  });

  it('counts with separators and changes with a real minus', () => {
    expect(formatCount(12_345)).toBe('12,345');
    expect(formatChanges(3, 1)).toEqual(['+3', '\u22121']);
    expect(formatChanges(null, 1200)).toEqual(['+?', '\u22121,200']);
  });
});
