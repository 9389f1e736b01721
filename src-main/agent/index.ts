export type * from './types.ts';
export { runAttempt } from './loop/run-attempt.ts';
