import type { CalibratedTask, Calibration } from './calibration-file.ts';
import { chooseKept, isKept, type ProbedTask } from './keep.ts';
import { nextProbeBuys } from './next-probes.ts';
import { chanceInBand, credibleInterval, learnability, posteriorOf } from './posterior.ts';

/** All that probes say of tasks, in the order given, with the choice of the kept ones. */
export function calibratedTasks(
  tasks: readonly ProbedTask[],
  settings: Calibration['settings'],
): CalibratedTask[] {
  const reasons = chooseKept(tasks, settings);
  return tasks.map(({ name, hash, bugClass, solved, probes }, at) => {
    const found = { solved, probes };
    const why = reasons[at] ?? 'not_probed';
    return {
      ...{ name, hash, bugClass, solved, probes },
      interval: credibleInterval(found),
      inBand: chanceInBand(posteriorOf(found), settings.band.low, settings.band.high),
      learnability: learnability(found),
      nextProbeBuys: nextProbeBuys(found, settings),
      ...{ kept: isKept(why), why },
    };
  });
}
