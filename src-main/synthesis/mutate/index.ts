export { mutate } from './mutate.ts';
export { MUTATORS } from './mutators.ts';
