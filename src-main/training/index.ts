export { dryRunTraining, exportTraining } from './export/export-training.ts';
export type {
  DryRunReport,
  DryRunRequest,
  RowFormat,
  TrainFormat,
  TrainReport,
  TrainRequest,
} from './export/types.ts';
export { postReward, type Reward } from './rollout/post-reward.ts';
export { readRolloutRequest, type RolloutRequest } from './rollout/read-request.ts';
