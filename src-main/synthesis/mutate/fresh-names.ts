import { childOf, walk, type SyntaxNode } from '../syntax/index.ts';
import type { Unit } from './types.ts';

const SEVERAL = new Set(['pattern_list', 'tuple_pattern']);

/** What a statement that is an assignment, or is around one, gives a value to. */
export function targetOf(statement: SyntaxNode): SyntaxNode | null {
  const assignment = childOf(statement, 'left') ? statement : statement.children[0];
  return (assignment && childOf(assignment, 'left')) ?? null;
}

/**
 * Whether a name of the function gets its first value here: without it each use fails at once, which
 * is as with the declarations of the other languages.
 */
export function isFresh(statement: SyntaxNode, { language, node }: Unit): boolean {
  const target = language === 'python' ? targetOf(statement) : null;
  if (!target) {
    return false;
  }
  const names = SEVERAL.has(target.type) ? target.children : [target];
  const earlier = new Set(
    [...walk(node)]
      .filter(({ type, start }) => type === 'identifier' && start < target.start)
      .map(({ text }) => text),
  );
  return names.some(({ type, text }) => type === 'identifier' && !earlier.has(text));
}
