export type * from './types.ts';
export { writeStatement } from './statements/write-statement.ts';
export { history } from './history/history.ts';
export { synthesize } from './pipeline/synthesize.ts';
export type * from './pipeline/types.ts';
export { mutate } from './mutate/index.ts';
