import { describe, expect, it } from 'vitest';
import { EMPTY_FORM, fixOf, isAbsolute, parseForm } from './fix-form.ts';

describe('the form of a new fix', () => {
  it('asks only for what a person filled in', () => {
    expect(fixOf(EMPTY_FORM, 'it fails')).toEqual({ issue: 'it fails' });
  });

  it('asks in the units of the contract', () => {
    const form = {
      ...EMPTY_FORM,
      ...{ repository: ' /r ', model: 'frog', verify: 'pytest -q', protect: ' a.py\n\nb/* \n' },
      ...{ attempts: 3, seed: 0, maxSteps: 40, minutes: 1.5, memoryGib: 0.5, cpus: 1 },
    };
    expect(fixOf(form, '')).toEqual({
      ...{ issue: '', repository: '/r', model: 'frog', verify: 'pytest -q' },
      ...{ protect: ['a.py', 'b/*'], attempts: 3, seed: 0, maxSteps: 40, timeLimitSeconds: 90 },
      limits: { memoryBytes: 536_870_912, cpus: 1 },
    });
  });

  it.each([
    ['', EMPTY_FORM],
    ['[]', EMPTY_FORM],
    ['{"model":"m","seed":3,"attempts":"x","other":1}', { ...EMPTY_FORM, model: 'm', seed: 3 }],
    ['{"seed":null}', EMPTY_FORM],
  ])('a draft of %s is understood as far as it goes', (text, form) => {
    expect(parseForm(text)).toEqual(form);
  });

  it.each([
    ['/home/a', true],
    [' /home', true],
    ['C:\\x', true],
    ['c:/x', true],
    ['\\\\host\\x', true],
    ['home/a', false],
    ['', false],
    ['~/a', false],
  ])('%j is looked at: %j', (path, absolute) => {
    expect(isAbsolute(path)).toBe(absolute);
  });
});
