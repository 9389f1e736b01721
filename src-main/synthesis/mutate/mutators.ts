import { OPERATOR_MUTATORS } from './operator-mutators.ts';
import type { Mutator } from './types.ts';

/** All of them, as the docs list them. */
export const MUTATORS: readonly Mutator[] = [...OPERATOR_MUTATORS];
