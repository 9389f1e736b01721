import { childOf, partsOf, type SyntaxNode } from '../syntax/index.ts';
import { replace, swap } from './edits.ts';
import { ALL_LANGUAGES, BINARY, BOOLEAN, COMPARISON, NUMBER, STRING } from './node-tables.ts';
import type { Edit, Mutator, Unit } from './types.ts';

const OPPOSITE: Readonly<Record<string, string>> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  in: 'not in',
  'not in': 'in',
  is: 'is not',
  'is not': 'is',
};
const BOUNDARY: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '//': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
  '++': '--',
  '--': '++',
};
const JUNCTION: Readonly<Record<string, string>> = { and: 'or', or: 'and', '&&': '||', '||': '&&' };
const NON_COMMUTATIVE = new Set(['-', '/', '//', '%', '<', '<=', '>', '>=', '<<', '>>', '**']);

/** The operators of a node: a chained comparison has several. */
function operatorsOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(({ field, named }) => !named && field?.startsWith('operator'));
}

/** With the table's word for each operator. */
function changed(node: SyntaxNode, table: Readonly<Record<string, string>>): Edit[] {
  return operatorsOf(node).flatMap((operator) => {
    const word = operator.text.replaceAll(/\s+/gu, ' ');
    return Object.hasOwn(table, word) ? [replace(operator, table[word] ?? '')] : [];
  });
}

/** Whether it is one comparison, which has its opposite in another operator. */
export function hasOpposite(node: SyntaxNode): boolean {
  return operatorsOf(node).length === 1 && changed(node, OPPOSITE).length === 1;
}

const isComparison = (node: SyntaxNode, { language }: Unit): boolean =>
  COMPARISON[language].has(node.type);

/** Text put together or formatted is no arithmetic. */
const hasString = (node: SyntaxNode): boolean => partsOf(node).some(({ type }) => STRING.has(type));

function arithmetic(node: SyntaxNode, { language }: Unit): Edit[] {
  if (!BINARY[language].has(node.type) || hasString(node)) {
    return [];
  }
  const sign = node.children.find(({ type }) => type === '++' || type === '--');
  return sign ? [replace(sign, ARITHMETIC[sign.type] ?? '')] : changed(node, ARITHMETIC);
}

function swapOperands(node: SyntaxNode, { language, source }: Unit): Edit[] {
  const [left, right, more] = partsOf(node);
  const [operator] = operatorsOf(node);
  const known = BINARY[language].has(node.type) || COMPARISON[language].has(node.type);
  // Text is formatted by what looks like a remainder: `%` with its sides changed is only a crash.
  if (
    !known ||
    hasString(node) ||
    !left ||
    !right ||
    more ||
    !operator ||
    !NON_COMMUTATIVE.has(operator.text)
  ) {
    return [];
  }
  return [swap(left, right, source)];
}

function breakChain(node: SyntaxNode, { language }: Unit): Edit[] {
  const parts = partsOf(node);
  const [left, middle] = parts;
  if (!left || !middle) {
    return [];
  }
  if (COMPARISON[language].has(node.type) && parts.length > 2) {
    return [
      { start: middle.end, end: node.end, text: '' },
      { start: node.start, end: middle.start, text: '' },
    ];
  }
  const operator = childOf(node, 'operator')?.text ?? '';
  if (!BOOLEAN[language].has(node.type) || !Object.hasOwn(JUNCTION, operator)) {
    return [];
  }
  return [replace(node, left.text), replace(node, middle.text)];
}

function changeConstant(node: SyntaxNode): Edit[] {
  if (!NUMBER.has(node.type) || !/^\d{1,9}$/u.test(node.text)) {
    return [];
  }
  const value = Number(node.text);
  return [value + 1, value - 1]
    .filter((other) => other >= 0)
    .map((other) => replace(node, String(other)));
}

export const OPERATOR_MUTATORS = [
  {
    name: 'opposite-comparison',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: (node, unit) => (isComparison(node, unit) ? changed(node, OPPOSITE) : []),
  },
  {
    name: 'comparison-boundary',
    family: 'operator',
    bugClass: 'boundary',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: (node, unit) => (isComparison(node, unit) ? changed(node, BOUNDARY) : []),
  },
  {
    name: 'arithmetic-operator',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: arithmetic,
  },
  {
    name: 'boolean-operator',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: (node, { language }) =>
      BOOLEAN[language].has(node.type) ? changed(node, JUNCTION) : [],
  },
  {
    name: 'swap-operands',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: swapOperands,
  },
  {
    name: 'break-chain',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: breakChain,
  },
  {
    name: 'change-constant',
    family: 'operator',
    bugClass: 'logic',
    on: 'function',
    languages: ALL_LANGUAGES,
    edits: changeConstant,
  },
] satisfies readonly Mutator[];
