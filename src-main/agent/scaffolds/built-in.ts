import type { Scaffold } from '../types.ts';
import type { ScaffoldFile } from './file.ts';
import { createLeafScaffold } from './leaf/scaffold.ts';

/** A scaffold that is code; a scaffold file replaces parts of one. */
export interface BuiltIn {
  title: string;
  /** One sentence for people. */
  about: string;
  create(file?: ScaffoldFile): Scaffold;
}

/** By name. One that is added here is offered and loaded everywhere. */
export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map([
  [
    'leaf',
    {
      title: 'Leaf',
      about:
        'Read, Write, Edit, Glob and Bash as native function calls; FrogNano was trained in it.',
      create: createLeafScaffold,
    },
  ],
]);
