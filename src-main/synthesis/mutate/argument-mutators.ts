import { ancestors, childOf, partsOf, walk, type SyntaxNode } from '../syntax/index.ts';
import { dropFromList, replace, swap } from './edits.ts';
import { ALL_LANGUAGES, ARGUMENTS, FUNCTION, NUMBER, SCRIPT_LANGUAGES } from './node-tables.ts';
import type { Edit, Mutator, Unit } from './types.ts';

const NAMED = new Set(['keyword_argument', 'dictionary_splat', 'list_splat', 'spread_element']);

const argumentsOf = (node: SyntaxNode, { language }: Unit): SyntaxNode[] =>
  ARGUMENTS[language].has(node.type) && node.field === 'arguments' ? partsOf(node) : [];

/** Their arguments are of different kinds: whoever mixes them up sees it at the first call. */
const FIXED_ORDER = new Set(['isinstance', 'issubclass', 'getattr', 'setattr', 'hasattr']);

function swapArguments(node: SyntaxNode, unit: Unit): Edit[] {
  const called = node.parent && childOf(node.parent, 'function');
  const given = FIXED_ORDER.has(called?.text ?? '') ? [] : argumentsOf(node, unit);
  return given.flatMap((first, at) => {
    const second = given[at + 1];
    return second && !NAMED.has(first.type) && !NAMED.has(second.type)
      ? [swap(first, second, unit.source)]
      : [];
  });
}

/** Those with a name, or the last of several: others are missed before a test looks. */
function dropArgument(node: SyntaxNode, unit: Unit): Edit[] {
  const given = argumentsOf(node, unit);
  const last = unit.language === 'python' ? [] : given.slice(1).slice(-1);
  return [...given.filter(({ type }) => type === 'keyword_argument'), ...last].map((item) =>
    dropFromList(item, given),
  );
}

const TRUTH: Readonly<Record<string, string>> = {
  True: 'False',
  False: 'True',
  true: 'false',
  false: 'true',
};
const WITH_DEFAULT = new Set([
  'default_parameter',
  'typed_default_parameter',
  'required_parameter',
  'assignment_pattern',
]);

function changeDefault(node: SyntaxNode): Edit[] {
  const value = WITH_DEFAULT.has(node.type) && (childOf(node, 'value') ?? childOf(node, 'right'));
  if (!value) {
    return [];
  }
  if (Object.hasOwn(TRUTH, value.text)) {
    return [replace(value, TRUTH[value.text] ?? '')];
  }
  const whole = NUMBER.has(value.type) && /^\d{1,9}$/u.test(value.text);
  return whole ? [replace(value, String(Number(value.text) + 1))] : [];
}

const BOUND_FUNCTIONS = /^(?:range|len)$|\.(?:slice|substring|substr|at|charAt)$/u;

/** Bounds of slices and ranges, and lengths. */
function offByOne(node: SyntaxNode, unit: Unit): Edit[] {
  if (node.type === 'slice' || node.type === 'slice_expression') {
    const [, ...after] = partsOf(node);
    return (node.type === 'slice' ? partsOf(node) : after).map(shifted);
  }
  const called = childOf(node, 'function')?.text ?? '';
  const list = childOf(node, 'arguments');
  if (!list || !BOUND_FUNCTIONS.test(called)) {
    return [];
  }
  return called === 'len'
    ? [replace(node, `${node.text} - 1`)]
    : argumentsOf(list, unit).map(shifted);
}

function shifted(bound: SyntaxNode): Edit {
  if (NUMBER.has(bound.type) && /^\d{1,9}$/u.test(bound.text)) {
    return replace(bound, String(Number(bound.text) + 1));
  }
  return replace(
    bound,
    / [-+] 1$/u.test(bound.text) ? bound.text.slice(0, -4) : `${bound.text} - 1`,
  );
}

/** Another parameter of the same function, where one is read. */
function wrongVariable(node: SyntaxNode, unit: Unit): Edit[] {
  const within = [...ancestors(node)].find(({ type }) => FUNCTION[unit.language].has(type));
  const list = within && childOf(within, 'parameters');
  if (node.type !== 'identifier' || !list || !isRead(node, list)) {
    return [];
  }
  const names = namesOf(list);
  return names.includes(node.text)
    ? names.filter((name) => name !== node.text).map((name) => replace(node, name))
    : [];
}

function namesOf(list: SyntaxNode): string[] {
  const names = partsOf(list).flatMap((parameter) => {
    // Go gives several names one type.
    const named = parameter.children.filter(({ field }) => field === 'name');
    const own = named.length > 1 ? named : [...walk(parameter)].slice(0, 3);
    const identifiers = own.filter(({ type }) => type === 'identifier');
    return (named.length > 1 ? identifiers : identifiers.slice(0, 1)).map(({ text }) => text);
  });
  return names.filter((name) => !['self', 'cls', '_'].includes(name));
}

const WRITTEN = new Set(['left', 'name', 'attribute', 'property', 'key', 'label']);

function isRead(node: SyntaxNode, list: SyntaxNode): boolean {
  const up = [node, ...ancestors(node)];
  return !WRITTEN.has(node.field ?? '') && !up.includes(list) && node.parent?.field !== 'left';
}

const ATTRIBUTE = new Set(['attribute', 'member_expression']);
const OWN = new Set(['self', 'this']);

/** Another attribute of the same object, of those that the function reads. */
function wrongAttribute(node: SyntaxNode, unit: Unit): Edit[] {
  const property = ownAttribute(node);
  if (!property || node.field === 'left' || node.field === 'function') {
    return [];
  }
  const others = new Set(
    [...walk(unit.node)].flatMap((at) =>
      at.field === 'function' ? [] : (ownAttribute(at)?.text ?? []),
    ),
  );
  others.delete(property.text);
  return [...others].map((other) => replace(property, other));
}

function ownAttribute(node: SyntaxNode): SyntaxNode | null {
  return ATTRIBUTE.has(node.type) && OWN.has(childOf(node, 'object')?.text ?? '')
    ? (childOf(node, 'attribute') ?? childOf(node, 'property'))
    : null;
}

const COMMON = { family: 'argument', on: 'function', languages: ALL_LANGUAGES } as const;
const WITHOUT_GO = ['python', ...SCRIPT_LANGUAGES] as const;

export const ARGUMENT_MUTATORS = [
  { ...COMMON, name: 'swap-arguments', bugClass: 'arguments', edits: swapArguments },
  {
    ...COMMON,
    name: 'drop-argument',
    bugClass: 'arguments',
    languages: WITHOUT_GO,
    edits: dropArgument,
  },
  {
    ...COMMON,
    name: 'change-default',
    bugClass: 'interface',
    languages: WITHOUT_GO,
    edits: changeDefault,
  },
  { ...COMMON, name: 'off-by-one', bugClass: 'boundary', edits: offByOne },
  { ...COMMON, name: 'wrong-variable', bugClass: 'logic', edits: wrongVariable },
  {
    ...COMMON,
    name: 'wrong-attribute',
    bugClass: 'attribute',
    languages: WITHOUT_GO,
    edits: wrongAttribute,
  },
] satisfies readonly Mutator[];
