import type { Verification, VerificationRun } from '../../../../src-main/contract/index.ts';

export type TestStatus = VerificationRun['tests'][number]['status'];

export interface ComparedTest {
  name: string;
  before: TestStatus | null;
  after: TestStatus | null;
  change: 'regression' | 'fixed' | 'failing' | 'passing' | 'other';
}

const ORDER = ['regression', 'fixed', 'failing', 'other', 'passing'];

/** Each test before and after the patch; those that tell something first. */
export function comparedTests({ before, after, regressions, fixed }: Verification): ComparedTest[] {
  const first = new Map(before.tests.map(({ name, status }) => [name, status]));
  const last = new Map(after.tests.map(({ name, status }) => [name, status]));
  const worse = new Set(regressions);
  const better = new Set(fixed);
  return [...new Set([...last.keys(), ...first.keys()])]
    .map((name): ComparedTest => {
      const [was, is] = [first.get(name) ?? null, last.get(name) ?? null];
      const change = worse.has(name)
        ? 'regression'
        : better.has(name)
          ? 'fixed'
          : is === 'failed' || is === 'error'
            ? 'failing'
            : is === 'passed'
              ? 'passing'
              : 'other';
      return { name, before: was, after: is, change };
    })
    .toSorted((one, other) => ORDER.indexOf(one.change) - ORDER.indexOf(other.change));
}
