import type { Scaffold } from '../types.ts';
import { createLeafScaffold } from './leaf/scaffold.ts';
import { createR2egymScaffold } from './r2egym/scaffold.ts';

/** A scaffold that is code; a scaffold file replaces parts of one. */
export interface BuiltIn {
  title: string;
  /** One sentence for people. */
  about: string;
  create(): Scaffold;
}

/** By name. One that is added here is offered and loaded everywhere. */
export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map([
  [
    'leaf',
    {
      title: 'Leaf',
      about:
        'Read, Write, Edit, Glob and Bash as native function calls; FrogNano was trained in it.',
      create: () => createLeafScaffold(),
    },
  ],
  [
    'r2egym',
    {
      title: 'R2E-Gym',
      about:
        'file_editor, execute_bash, search and finish as XML calls in text; FrogMini was trained on runs of it.',
      create: () => createR2egymScaffold(),
    },
  ],
]);
