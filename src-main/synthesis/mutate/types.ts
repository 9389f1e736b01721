import type { BugClass, Language } from '../types.ts';
import type { SyntaxNode } from '../syntax/index.ts';

/** SWE-smith's four (`bug_gen/procedural`), and what is handed to a call. */
export type MutatorFamily = 'class' | 'control' | 'operator' | 'remove' | 'argument';

/** Text to be put in place of `[start, end)`, UTF-16 units of the file. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A function, a method or a class: what a bug is put into. */
export interface Unit {
  node: SyntaxNode;
  language: Language;
  /** The whole file. */
  source: string;
  symbol: string;
}

/** One kind of mistake. */
export interface Mutator {
  name: string;
  family: MutatorFamily;
  bugClass: BugClass;
  /** Where it applies; a class is looked at by itself, a function with all in it. */
  on: 'class' | 'function';
  languages: readonly Language[];
  /** Each change to this one node that makes the mistake; none = does not apply. */
  edits: (node: SyntaxNode, unit: Unit) => Edit[];
}
