import type { Repository } from './repositories.ts';
import { oneOf } from './random.ts';

/** A case that fails, and what the call does instead: `returns 3`, `raises KeyError`. */
export interface Symptom {
  call: string;
  expected: string;
  does: string;
}

/** What a user may write about the bug; `named` when it says which file to look into. */
export function issueOf(
  random: () => number,
  repository: Repository,
  symptom: Symptom | null,
): { issue: string; named: boolean } {
  const { module: file, function: name, test } = repository;
  const chance = random();
  if (symptom === null || test === null) {
    const issue = oneOf(random, [
      `The test for ${name} fails. The code is in ${file}.`,
      `\`${name}\` in ${file} does not work, its test fails.`,
      `Fix ${name} in ${file}.`,
    ]);
    return { issue, named: true };
  }
  if (chance < 0.17) {
    const issue = oneOf(random, [
      `test_${name} in ${test} fails. Please fix ${file}.`,
      `The test for ${name} fails. The code is in ${file}.`,
      `\`${name}\` in ${file} does not work, its test fails.`,
    ]);
    return { issue, named: true };
  }
  if (chance < 0.29) return { issue: withoutFile(random, name, symptom), named: false };
  const told = withFile(random, file, name, symptom);
  const more = repository.doc !== null && random() < 0.15 ? ` ${repository.doc}` : '';
  return { issue: told + more, named: true };
}

function withoutFile(random: () => number, name: string, { call, expected, does }: Symptom) {
  return oneOf(random, [
    `\`${call}\` ${does}, expected ${expected}.`,
    'The tests fail. Please find the bug and fix it.',
    `${name} is broken: ${call} ${does}, should be ${expected}.`,
    `test_${name} fails. Please fix it.`,
    'pytest fails. Fix the code.',
  ]);
}

function withFile(random: () => number, file: string, name: string, symptom: Symptom) {
  const { call, expected, does } = symptom;
  return oneOf(random, [
    `\`${call}\` ${does} but should return ${expected}. The function is in ${file}.`,
    `Bug in ${file}: \`${call}\` ${does}, expected ${expected}.`,
    `In ${file}, ${name} is wrong: ${call} ${does} instead of ${expected}. Please fix it.`,
    `${call} should be ${expected}, but it ${does}. Fix ${file}.`,
    `The function \`${name}\` in \`${file}\` has a bug: \`${call}\` ${does} and not ${expected}.`,
    `${file}: ${call} == ${expected} fails, it ${does}.`,
    `${name}() gives the wrong result. ${call} ${does}; I expect ${expected}. See ${file}.`,
    `Please fix ${file}. \`${call}\` must return ${expected}.`,
  ]);
}
