export type * from './types.ts';
export { writeStatement } from './statements/write-statement.ts';
