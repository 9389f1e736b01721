export type * from './types.ts';
export { openStore } from './open-store.ts';
