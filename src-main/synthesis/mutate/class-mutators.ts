import { childOf, partsOf, type SyntaxNode } from '../syntax/index.ts';
import { dropFromList, removeStatement } from './edits.ts';
import { SCRIPT_LANGUAGES } from './node-tables.ts';
import type { Edit, Mutator, Unit } from './types.ts';

/** Without it nothing of the class is left to look at. */
const KEPT = new Set(['__init__', '__new__', 'constructor']);
const METHOD = new Set(['function_definition', 'method_definition']);

function removeBase(node: SyntaxNode, { language, source }: Unit): Edit[] {
  if (language === 'python') {
    const bases = childOf(node, 'superclasses');
    const list = bases ? partsOf(bases) : [];
    return list
      .filter(({ type, text }) => type !== 'keyword_argument' && text !== 'object')
      .map((base) => dropFromList(base, list));
  }
  const heritage = node.children.find(({ type }) => type === 'class_heritage');
  // `super` has no meaning in a class without one.
  if (!heritage?.text.startsWith('extends') || /\bsuper\b/u.test(node.text)) {
    return [];
  }
  const before = source.slice(0, heritage.start).trimEnd().length;
  return [{ start: before, end: heritage.end, text: '' }];
}

function membersOf(node: SyntaxNode): SyntaxNode[] {
  const body = childOf(node, 'body');
  return body ? partsOf(body) : [];
}

function removeMethod(node: SyntaxNode, { source }: Unit): Edit[] {
  return membersOf(node).flatMap((member) => {
    const method = childOf(member, 'definition') ?? member;
    const kept = !METHOD.has(method.type) || KEPT.has(childOf(method, 'name')?.text ?? '');
    return kept ? [] : [removeStatement(member, source)];
  });
}

/** A value that all of the class share. */
function removeAttribute(node: SyntaxNode, { source }: Unit): Edit[] {
  return membersOf(node).flatMap((member) => {
    const [inner] = partsOf(member);
    const attribute = member.type === 'expression_statement' && inner?.type === 'assignment';
    return attribute && childOf(inner, 'right') ? [removeStatement(member, source)] : [];
  });
}

const COMMON = {
  family: 'class',
  on: 'class',
  languages: ['python', ...SCRIPT_LANGUAGES],
} as const;

export const CLASS_MUTATORS = [
  { ...COMMON, name: 'remove-base', bugClass: 'interface', edits: removeBase },
  { ...COMMON, name: 'remove-method', bugClass: 'interface', edits: removeMethod },
  {
    ...COMMON,
    name: 'remove-class-attribute',
    bugClass: 'attribute',
    languages: ['python'],
    edits: removeAttribute,
  },
] satisfies readonly Mutator[];
