export type * from './types.ts';
export { ContextOverflowError } from './types.ts';
