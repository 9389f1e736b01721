import { describe, expect, it } from 'vitest';
import { areaPath, linePath } from './paths.ts';

describe('paths of a small chart', () => {
  it('leaves a gap where nothing was measured', () => {
    expect(linePath([0, 10, null, 5, 10], 10)).toBe('M0 99L25 1M75 50L100 1');
    expect(areaPath([0, 10, null, 5, 10], 10)).toBe(
      'M0 100L0 99L25 1L25 100ZM75 100L75 50L100 1L100 100Z',
    );
  });

  it('draws nothing of nothing, and keeps within its square', () => {
    expect([linePath([], 1), areaPath([], 1), linePath([null], 1)]).toEqual(['', '', '']);
    expect(linePath([5], 10)).toBe('M0 50L100 50');
    expect(linePath([20, -5], 10)).toBe('M0 1L100 99');
    expect(linePath([1, 2], 0)).toBe('M0 99L100 99');
  });
});
