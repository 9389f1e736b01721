export type * from './types.ts';
export { createCore } from './create-core.ts';
