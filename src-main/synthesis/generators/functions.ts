import { isTestFile } from '../../fix/index.ts';
import {
  ancestors,
  childOf,
  partsOf,
  syntaxReader,
  walk,
  type SyntaxNode,
} from '../syntax/index.ts';
import type { SourceTree } from '../types.ts';

/** Shorter ones are got right, and their tests tell nothing. */
const LEAST_LINES = 3;

/** Stands in for a body. */
export const STUB = 'raise NotImplementedError';

/** A Python function, and its file with the body taken out. */
export interface Blanked {
  path: string;
  /** `Class.method`. */
  symbol: string;
  /** 1-based; of its `def`. */
  line: number;
  /** Last line of its body. */
  lastLine: number;
  /** Source of the file with signature and docs, but a body that raises. */
  source: string;
}

/** Python functions with enough of a body, outside tests and other functions, in order of paths. */
export async function blankedFunctions(tree: SourceTree): Promise<Blanked[]> {
  const read = await syntaxReader('python');
  const found: Blanked[] = [];
  for (const [path, { mode, content }] of tree.files) {
    if (!path.endsWith('.py') || mode === '120000' || isTestFile(path)) continue;
    const source = new TextDecoder().decode(content);
    const syntax = read(source);
    if (syntax === null || syntax.errors > 0) continue;
    for (const node of walk(syntax.root)) {
      const one = blank(node, source);
      if (one !== null) found.push({ path, ...one });
    }
  }
  return found;
}

function blank(node: SyntaxNode, source: string): Omit<Blanked, 'path'> | null {
  const body = node.type === 'function_definition' ? childOf(node, 'body') : null;
  const name = childOf(node, 'name');
  const above = [...ancestors(node)];
  if (body === null || name === null) return null;
  if (above.some(({ type }) => type === 'function_definition')) return null;
  const [first, ...rest] = partsOf(body);
  const hasDocs = first !== undefined && isText(first) && rest.length > 0;
  const start = hasDocs ? first.end : body.start;
  if (source.slice(start, body.end).trim().split('\n').length < LEAST_LINES) return null;
  const indent = source.slice(source.lastIndexOf('\n', body.start - 1) + 1, body.start);
  // A body behind its colon has no indent of its own.
  if (indent.trim() !== '') return null;
  const stub = `${hasDocs ? `\n${indent}` : ''}${STUB}`;
  const classes = above.flatMap((one) =>
    one.type === 'class_definition' ? childOf(one, 'name')?.text : [],
  );
  return {
    symbol: [...classes.toReversed(), name.text].join('.'),
    line: lineOf(source, node.start),
    lastLine: lineOf(source, body.end),
    source: source.slice(0, start) + stub + source.slice(body.end),
  };
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'expression_statement' && node.children[0]?.type === 'string';
}

function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}
