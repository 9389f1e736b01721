export { VivariumError, messageOf } from './errors.ts';
