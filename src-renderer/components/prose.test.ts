import { describe, expect, it } from 'vitest';
import { proseParts } from './prose.ts';

describe('text with fences', () => {
  it('tells words from code', () => {
    expect(proseParts('Fails:\n\n```py\nx = 1\n\n```\n\nSee above.\n')).toEqual([
      { kind: 'words', text: 'Fails:' },
      { kind: 'code', text: 'x = 1\n', language: 'py' },
      { kind: 'words', text: 'See above.' },
    ]);
  });

  it('runs an open fence to the end and lets a longer one hold a shorter one', () => {
    expect(proseParts('~~~\na')).toEqual([{ kind: 'code', text: 'a', language: null }]);
    expect(proseParts('````\n```\na\n```\n````')).toEqual([
      { kind: 'code', text: '```\na\n```', language: null },
    ]);
  });

  it('leaves everything else as it stands', () => {
    expect(proseParts('<b>x</b> [l](javascript:1)')).toEqual([
      { kind: 'words', text: '<b>x</b> [l](javascript:1)' },
    ]);
    expect(proseParts(' \n')).toEqual([]);
  });
});
