import { expect, it } from 'vitest';
import { chooseKept, KEEP_DEFAULTS, type ProbedTask } from './keep.ts';

const SETTINGS = { band: { low: 0.1, high: 0.9 }, first: 4, ...KEEP_DEFAULTS };

function task(hash: string, score: string, bugClass: string | null = null): ProbedTask {
  const [solved = 0, probes = 0] = score.split('/').map(Number);
  return { name: hash, hash, solved, probes, bugClass };
}

it('the band is told from what is too easy, too hard, never solved and not known', () => {
  const tasks = ['2/4', '8/8', '0/8', '1/40', '3/3', '1/8'].map((score, at) =>
    task(`h${at}`, score),
  );
  expect(chooseKept(tasks, SETTINGS)).toEqual([
    ...['in_band', 'too_easy', 'never_solved', 'too_hard', 'not_probed', 'in_band'],
  ]);
});

it('never-solved ones are a tenth of the kept set at most, of each class in turns', () => {
  const some = Array.from({ length: 18 }, (_, at) => task(`s${at}`, '2/4'));
  const never = [task('c', '0/8', 'logic'), task('b', '0/8', 'logic'), task('z', '0/8', 'copy')];
  expect(chooseKept([...some, ...never], SETTINGS).slice(18)).toEqual([
    ...['never_solved', 'unsolved_slice', 'unsolved_slice'],
  ]);
  expect(chooseKept([...some, ...never], { ...SETTINGS, unsolvedShare: 0 }).slice(18)).toEqual([
    ...['never_solved', 'never_solved', 'never_solved'],
  ]);
  expect(chooseKept(never, SETTINGS)).not.toContain('unsolved_slice');
});

it('of a full class those go that tell least; a single class and tasks without one are under no quota', () => {
  const logic = [task('a', '1/8', 'logic'), task('b', '4/8', 'logic'), task('c', '3/8', 'logic')];
  const more = [task('d', '7/8', 'logic'), task('e', '4/8', 'copy'), task('f', '4/8')];
  expect(chooseKept([...logic, ...more], SETTINGS)).toEqual([
    ...['in_band', 'in_band', 'in_band', 'class_full', 'in_band', 'in_band'],
  ]);
  expect(chooseKept(logic, SETTINGS)).toEqual(['in_band', 'in_band', 'in_band']);
});
