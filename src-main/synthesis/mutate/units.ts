import { ancestors, childOf, walk, type SyntaxNode } from '../syntax/index.ts';
import type { Language } from '../types.ts';
import { BRANCH, CLASS, FUNCTION, LEFT_ALONE, NAMED_FUNCTION } from './node-tables.ts';
import type { Unit } from './types.ts';

/** Where JavaScript gives a function its name. */
const NAME_GIVERS = new Set([
  'variable_declarator',
  'pair',
  'field_definition',
  'public_field_definition',
  'assignment_expression',
]);

/** Functions, methods and classes of a file, in its order. */
export function unitsOf(root: SyntaxNode, language: Language, source: string): Unit[] {
  const units: Unit[] = [];
  for (const node of walk(root)) {
    if (CLASS[language].has(node.type) ? node.named : isFunction(node, language)) {
      units.push({ node, language, source, symbol: symbolOf(node, language) });
    }
  }
  return units;
}

/** A callback within a function belongs to that one. */
function isFunction(node: SyntaxNode, language: Language): boolean {
  if (!node.named || !FUNCTION[language].has(node.type)) {
    return false;
  }
  return (
    NAMED_FUNCTION[language].has(node.type) ||
    NAME_GIVERS.has(node.parent?.type ?? '') ||
    ![...ancestors(node)].some(({ type }) => FUNCTION[language].has(type))
  );
}

/** The nodes of a unit that may be changed: what has units of its own or is left alone is not in it. */
export function* nodesOf({ node, language }: Unit): Generator<SyntaxNode> {
  const enter = (at: SyntaxNode): boolean =>
    at === node ||
    !(
      LEFT_ALONE[language].has(at.type) ||
      CLASS[language].has(at.type) ||
      isFunction(at, language) ||
      (at.field === 'name' && at.parent === node) ||
      isMessage(at)
    );
  yield* walk(node, enter);
}

const MESSAGE =
  /^(?:(?:self|this|cls)\.)?_{0,2}(?:log|logger|logging|console|warnings|fmt\.Print\w*)\b/u;

/** Logging and warnings: no test should look at them. */
function isMessage(node: SyntaxNode): boolean {
  const call = node.type === 'expression_statement' ? node.children[0] : node;
  const called = call && childOf(call, 'function');
  return called ? MESSAGE.test(called.text) : false;
}

/** Paths through a unit: 1, and one more for each branch. */
export function complexityOf(unit: Unit): number {
  let count = 1;
  for (const { type } of nodesOf(unit)) {
    count += BRANCH[unit.language].has(type) ? 1 : 0;
  }
  return count;
}

function symbolOf(node: SyntaxNode, language: Language): string {
  const names = [nameOf(node)];
  if (node.type === 'method_declaration') {
    names.unshift(/(\w+)(?:\[.*\])?\s*\)$/u.exec(childOf(node, 'receiver')?.text ?? '')?.[1] ?? '');
  }
  for (const at of ancestors(node)) {
    if (CLASS[language].has(at.type) || isFunction(at, language)) {
      names.unshift(nameOf(at));
    }
  }
  return names.filter((name) => name !== '').join('.');
}

function nameOf(node: SyntaxNode): string {
  const giver = node.parent && NAME_GIVERS.has(node.parent.type) ? node.parent : null;
  const name =
    childOf(node, 'name') ??
    (giver &&
      (childOf(giver, 'name') ??
        childOf(giver, 'key') ??
        childOf(giver, 'property') ??
        childOf(giver, 'left')));
  return name?.text ?? '';
}
