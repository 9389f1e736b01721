export type * from './types.ts';
export { writeStatement } from './statements/write-statement.ts';
export { fullQuota, quotasOf, type Shares } from './select/quotas.ts';
export { select } from './select/select.ts';
