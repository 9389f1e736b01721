import { ARGUMENT_MUTATORS } from './argument-mutators.ts';
import { CLASS_MUTATORS } from './class-mutators.ts';
import { CONTROL_MUTATORS } from './control-mutators.ts';
import { OPERATOR_MUTATORS } from './operator-mutators.ts';
import { REMOVAL_MUTATORS } from './removal-mutators.ts';
import type { Mutator } from './types.ts';

/** All of them, as the docs list them. */
export const MUTATORS: readonly Mutator[] = [
  ...CLASS_MUTATORS,
  ...CONTROL_MUTATORS,
  ...OPERATOR_MUTATORS,
  ...REMOVAL_MUTATORS,
  ...ARGUMENT_MUTATORS,
];
