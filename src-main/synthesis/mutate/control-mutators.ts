import { ancestors, childOf, partsOf, walk, type SyntaxNode } from '../syntax/index.ts';
import { replace, swap } from './edits.ts';
import { isFresh, targetOf } from './fresh-names.ts';
import { ALL_LANGUAGES, CONDITION, FUNCTION, IF, LOOP, SWITCH } from './node-tables.ts';
import { hasOpposite } from './operator-mutators.ts';
import type { Edit, Mutator, Unit } from './types.ts';

const NEGATION = new Set(['not_operator', 'unary_expression']);
/** What is negated without parentheses. */
const BARE = new Set([
  ...['identifier', 'call', 'attribute', 'subscript'],
  ...['call_expression', 'member_expression', 'subscript_expression'],
  ...['selector_expression', 'index_expression'],
]);

function negate(node: SyntaxNode, { language }: Unit): Edit[] {
  if (!CONDITION[language].has(node.type)) {
    return [];
  }
  const ternary = node.type === 'conditional_expression' ? partsOf(node)[1] : undefined;
  const condition = ternary ?? childOf(node, 'condition');
  const inner = condition?.type === 'parenthesized_expression' ? partsOf(condition)[0] : condition;
  if (!inner) {
    return [];
  }
  const negated = inner.text.startsWith('not ') || inner.text.startsWith('!');
  const argument = childOf(inner, 'argument') ?? childOf(inner, 'operand');
  if (negated && argument && NEGATION.has(inner.type)) {
    return [replace(inner, argument.text)];
  }
  // Nobody writes `not (a == b)`: such a condition is `opposite-comparison`'s.
  if (hasOpposite(inner)) {
    return [];
  }
  const operand = BARE.has(inner.type) ? inner.text : `(${inner.text})`;
  return [replace(inner, language === 'python' ? `not ${operand}` : `!${operand}`)];
}

/** Where a branch's statements are; Python and JavaScript have a clause around those of the other. */
function branch(node: SyntaxNode, field: string): SyntaxNode | null {
  const found = childOf(node, field);
  const inner =
    found?.type === 'else_clause' ? (childOf(found, 'body') ?? partsOf(found)[0]) : found;
  return inner && ['block', 'statement_block'].includes(inner.type) ? inner : null;
}

function swapBranches(node: SyntaxNode, { language, source }: Unit): Edit[] {
  if (!IF[language].has(node.type) || node.children.some(({ type }) => type === 'elif_clause')) {
    return [];
  }
  const then = branch(node, 'consequence');
  const other = branch(node, 'alternative');
  return then && other ? [swap(then, other, source)] : [];
}

const BLOCKS = new Set(['block', 'statement_block', 'statement_list']);
const SIMPLE = new Set([
  'expression_statement',
  'assignment_statement',
  'inc_statement',
  'dec_statement',
]);

/** Two statements in a row of which one sets what the other reads. */
function swapStatements(node: SyntaxNode, unit: Unit): Edit[] {
  if (!BLOCKS.has(node.type)) {
    return [];
  }
  const parts = partsOf(node);
  return parts.flatMap((first, at) => {
    const second = parts[at + 1];
    const both = second && SIMPLE.has(first.type) && SIMPLE.has(second.type);
    const told = both && ((sets(first, second) && !isFresh(first, unit)) || sets(second, first));
    return told ? [swap(first, second, unit.source)] : [];
  });
}

function sets(one: SyntaxNode, other: SyntaxNode): boolean {
  const left = targetOf(one);
  const target = left?.type === 'expression_list' ? partsOf(left)[0] : left;
  return target
    ? [...walk(other)].some(({ type, text }) => type === target.type && text === target.text)
    : false;
}

function breakContinue(node: SyntaxNode, { language }: Unit): Edit[] {
  const word = /^(break|continue)(?=;?$)/u.exec(node.text)?.[1];
  if (!node.named || !word || node.type !== `${word}_statement`) {
    return [];
  }
  for (const { type } of ancestors(node)) {
    if (LOOP[language].has(type)) {
      return [replace(node, node.text.replace(word, word === 'break' ? 'continue' : 'break'))];
    }
    // There `break` ends the switch, and is no way out of the loop.
    if (FUNCTION[language].has(type) || (language !== 'python' && SWITCH[language].has(type))) {
      return [];
    }
  }
  return [];
}

export const CONTROL_MUTATORS = [
  {
    name: 'negate-condition',
    family: 'control',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: negate,
  },
  {
    name: 'swap-branches',
    family: 'control',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: swapBranches,
  },
  {
    name: 'swap-statements',
    family: 'control',
    bugClass: 'bookkeeping',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: swapStatements,
  },
  {
    name: 'break-continue',
    family: 'control',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: breakContinue,
  },
] satisfies readonly Mutator[];
