export type * from './types.ts';
export { featAddWith } from './generators/featadd.ts';
export { rewriteWith } from './generators/rewrite.ts';
export { DEFAULT_SHARES, type Shares } from './select/quotas.ts';
export { writeStatement } from './statements/write-statement.ts';
export { history } from './history/history.ts';
export { readSynth } from './pipeline/synth-file.ts';
export { synthesize } from './pipeline/synthesize.ts';
export type * from './pipeline/types.ts';
export { mutate } from './mutate/index.ts';
export { calibrationPage } from './calibration/calibration-page.ts';
export { calibratedTasks } from './calibration/calibrated-tasks.ts';
export {
  keepCalibration,
  sameModel,
  type CalibratedTask,
  type Calibration,
} from './calibration/calibration-file.ts';
export {
  classesOfRound,
  frontierOf,
  kindsAtFrontier,
  type KindAtFrontier,
} from './calibration/frontier.ts';
export {
  keepFrontier,
  readRounds,
  type Frontier,
  type FrontierRound,
} from './calibration/frontier-file.ts';
export { KEEP_DEFAULTS, type ProbedTask } from './calibration/keep.ts';
export { nextProbes, PROBE_DEFAULTS } from './calibration/next-probes.ts';
