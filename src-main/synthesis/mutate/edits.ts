import type { SyntaxNode } from '../syntax/index.ts';
import { partsOf } from '../syntax/index.ts';
import type { Edit } from './types.ts';

/** Other text for a node. */
export function replace(node: SyntaxNode, text: string): Edit {
  return { start: node.start, end: node.end, text };
}

/** Two nodes change places; what stands between stays. */
export function swap(first: SyntaxNode, second: SyntaxNode, source: string): Edit {
  const between = source.slice(first.end, second.start);
  return { start: first.start, end: second.end, text: second.text + between + first.text };
}

/** One of a list with commas goes, and one comma with it. */
export function dropFromList(item: SyntaxNode, list: readonly SyntaxNode[]): Edit {
  const at = list.indexOf(item);
  const next = list[at + 1];
  if (next) {
    return { start: item.start, end: next.start, text: '' };
  }
  return { start: list[at - 1]?.end ?? item.start, end: item.end, text: '' };
}

/** A statement goes, with its lines where it has them for itself. */
export function removeStatement(node: SyntaxNode, source: string): Edit {
  const around = node.parent;
  // Go has its statements in a list within the block, so that this one is Python's.
  if (around?.type === 'block' && partsOf(around).length === 1) {
    return replace(node, 'pass');
  }
  if (around && BODIES.has(node.field ?? '')) {
    return replace(node, '{}');
  }
  const from = source.lastIndexOf('\n', node.start - 1) + 1;
  const lineEnd = source.indexOf('\n', node.end);
  const to = lineEnd < 0 ? source.length : lineEnd + 1;
  const alone =
    source.slice(from, node.start).trim() === '' && source.slice(node.end, to).trim() === '';
  if (!alone) {
    return replace(node, '');
  }
  // Two blank lines in a row would show where it was.
  const before = source.slice(source.lastIndexOf('\n', from - 2) + 1, from);
  const after = source.slice(to, source.indexOf('\n', to) + 1);
  const blank = before.trim() === '' && after.trim() === '';
  return { start: from, end: blank ? to + after.length : to, text: '' };
}

/** Fields in which JavaScript has a statement without braces. */
const BODIES = new Set(['consequence', 'alternative', 'body']);

/** Text of a block whose lines are moved out to the column of `outer`. */
export function movedOut(body: SyntaxNode, outer: SyntaxNode, source: string): string {
  const inner = indentOf(body, source);
  const target = indentOf(outer, source);
  const [first = '', ...rest] = body.text.split('\n');
  return [
    first,
    ...rest.map((line) => (line.startsWith(inner) ? target + line.slice(inner.length) : line)),
  ].join('\n');
}

function indentOf(node: SyntaxNode, source: string): string {
  const from = source.lastIndexOf('\n', node.start - 1) + 1;
  return /^[ \t]*/u.exec(source.slice(from, node.start))?.[0] ?? '';
}
