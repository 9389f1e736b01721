import { childOf, partsOf, walk, type SyntaxNode } from '../syntax/index.ts';
import { movedOut, removeStatement, replace } from './edits.ts';
import { isFresh } from './fresh-names.ts';
import { ALL_LANGUAGES, CALL, IF, LOOP, RETURN, SCRIPT_LANGUAGES } from './node-tables.ts';
import type { Edit, Mutator, Unit } from './types.ts';

const ASSIGNMENT = new Set([
  'assignment',
  'augmented_assignment',
  'assignment_expression',
  'augmented_assignment_expression',
  'update_expression',
]);
const GO_ASSIGNMENT = new Set(['assignment_statement', 'inc_statement', 'dec_statement']);

/** Declarations stay: without them the rest does not compile, or tells the place at once. */
function removeAssignment(node: SyntaxNode, unit: Unit): Edit[] {
  const { language, source } = unit;
  if (language === 'go') {
    // In the head of a loop it is no statement of its own.
    const own = GO_ASSIGNMENT.has(node.type) && node.parent?.type === 'statement_list';
    return own ? [removeStatement(node, source)] : [];
  }
  const [inner] = partsOf(node);
  const whole = node.type === 'expression_statement' && inner && ASSIGNMENT.has(inner.type);
  const kept = !whole || inner.text.startsWith('__all__') || isFresh(inner, unit);
  return kept ? [] : [removeStatement(node, source)];
}

/** Only an `if` that stands by itself: no `else if`. */
function removeConditional(node: SyntaxNode, { language, source }: Unit): Edit[] {
  const chained = node.field === 'alternative' || node.parent?.type === 'else_clause';
  return IF[language].has(node.type) && !chained ? [removeStatement(node, source)] : [];
}

function removeCall(node: SyntaxNode, { language, source }: Unit): Edit[] {
  const [inner] = partsOf(node);
  const call = node.type === 'expression_statement' && inner && CALL[language].has(inner.type);
  return call && !inner.text.startsWith('super') ? [removeStatement(node, source)] : [];
}

/** A `return` before the end: what follows it runs too. */
function removeReturn(node: SyntaxNode, { language, source }: Unit): Edit[] {
  const body = node.parent?.type === 'statement_list' ? node.parent.parent : node.parent;
  const early = body?.field === 'consequence' || node.field === 'consequence';
  return RETURN[language].has(node.type) && early ? [removeStatement(node, source)] : [];
}

function removeWrapper(node: SyntaxNode, { language, source }: Unit): Edit[] {
  if (language === 'go') {
    return node.type === 'defer_statement' ? [removeStatement(node, source)] : [];
  }
  const bound = [...walk(node)].some(({ type }) => type === 'as_pattern_target');
  const lock = node.type === 'with_statement' && !bound;
  const body = childOf(node, 'body');
  if ((node.type !== 'try_statement' && !lock) || !body) {
    return [];
  }
  if (language !== 'python') {
    return [replace(node, body.text)];
  }
  // A string over several lines would be moved too.
  const moved = [...walk(body)].some(({ type, text }) => type === 'string' && text.includes('\n'));
  return moved ? [] : [replace(node, movedOut(body, node, source))];
}

/** `[...x]`, `list(x)`, `x.copy()`, `x[:]`, `x.slice()`: the same object instead of its own. */
function dropCopy(node: SyntaxNode, { language }: Unit): Edit[] {
  const call = CALL[language].has(node.type);
  const [callee, list] = partsOf(node);
  const given = list ? partsOf(list) : [];
  const [only] = given;
  if (call && only && given.length === 1 && COPIERS.has(callee?.text ?? '')) {
    return only.type === 'generator_expression' || only.type.includes('splat')
      ? []
      : [replace(node, only.text)];
  }
  const object = callee && (childOf(callee, 'object') ?? childOf(callee, 'value'));
  const method = callee && (childOf(callee, 'attribute') ?? childOf(callee, 'property'));
  if (
    call &&
    given.length === 0 &&
    object &&
    (method?.text === 'copy' || method?.text === 'slice')
  ) {
    return [replace(node, object.text)];
  }
  const whole = node.type === 'subscript' && language === 'python' && list?.text === ':';
  if (whole && callee) {
    return [replace(node, callee.text)];
  }
  const spread = ['array', 'object'].includes(node.type) && partsOf(node).length === 1;
  const inner = spread && callee?.type === 'spread_element' ? partsOf(callee)[0] : undefined;
  return inner ? [replace(node, inner.text)] : [];
}

const COPIERS = new Set([
  'list',
  'dict',
  'set',
  'copy.copy',
  'copy.deepcopy',
  'deepcopy',
  'Array.from',
  'structuredClone',
]);

const COMMON = { family: 'remove', on: 'function', languages: ALL_LANGUAGES } as const;

export const REMOVAL_MUTATORS = [
  { ...COMMON, name: 'remove-assignment', bugClass: 'bookkeeping', edits: removeAssignment },
  { ...COMMON, name: 'remove-conditional', bugClass: 'logic', edits: removeConditional },
  {
    ...COMMON,
    name: 'remove-loop',
    bugClass: 'logic',
    edits: (node, { language, source }) =>
      LOOP[language].has(node.type) ? [removeStatement(node, source)] : [],
  },
  { ...COMMON, name: 'remove-wrapper', bugClass: 'protocol', edits: removeWrapper },
  { ...COMMON, name: 'remove-call', bugClass: 'bookkeeping', edits: removeCall },
  { ...COMMON, name: 'remove-return', bugClass: 'logic', edits: removeReturn },
  {
    ...COMMON,
    name: 'drop-copy',
    bugClass: 'copy',
    languages: ['python', ...SCRIPT_LANGUAGES],
    edits: dropCopy,
  },
] satisfies readonly Mutator[];
