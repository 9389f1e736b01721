export { mutate } from './mutate.ts';
