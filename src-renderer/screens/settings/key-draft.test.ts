import { describe, expect, it } from 'vitest';
import { isReserved, keyConflicts, nextKeys, withKeys } from './key-draft.ts';

describe('keys while they are edited', () => {
  it('keep what differs from the usual ones', () => {
    expect(withKeys({}, 'fix.new', 'mod+i')).toEqual({ 'fix.new': 'mod+i' });
    expect(withKeys({ 'fix.new': 'mod+i' }, 'fix.new', 'n')).toEqual({});
    expect(withKeys({ 'fix.new': 'mod+i' }, 'fix.new', null)).toEqual({});
  });

  it('tell the same keys, and keys that hide a pair', () => {
    expect(keyConflicts({}).size).toBe(0);
    const same = keyConflicts({ 'fix.new': '?' });
    expect(same.get('fix.new')).toEqual(['help.shortcuts']);
    expect(same.get('help.shortcuts')).toEqual(['fix.new']);
    const hiding = keyConflicts({ 'search.focus': 'g' });
    expect(hiding.get('search.focus')).toEqual([
      'go.sessions',
      'go.models',
      'go.evaluations',
      'go.environment',
    ]);
    expect(hiding.get('go.models')).toEqual(['search.focus']);
  });

  it('wait for a second key after a plain one only', () => {
    expect(nextKeys(null, 'g')).toEqual({ keys: 'g', waits: true });
    expect(nextKeys('g', 'x')).toEqual({ keys: 'g x', waits: false });
    expect(nextKeys(null, 'mod+k')).toEqual({ keys: 'mod+k', waits: false });
    expect(nextKeys(null, '+')).toEqual({ keys: '+', waits: true });
  });

  it('know what a browser keeps for itself', () => {
    expect([isReserved('mod+w'), isReserved('g mod+t'), isReserved('mod+k')]).toEqual([
      ...[true, true, false],
    ]);
  });
});
