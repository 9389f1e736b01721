export { postReward, type Reward } from './rollout/post-reward.ts';
export { readRolloutRequest, type RolloutRequest } from './rollout/read-request.ts';
