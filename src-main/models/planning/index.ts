export { compare } from './compare.ts';
export { describeEstimate } from './describe.ts';
export { makePlan, type PlanInput } from './make-plan.ts';
