import type { Piece } from './lines.ts';

/** Longer texts stay plain: colouring them would hold up the page. */
const LONGEST_TEXT = 150_000;

interface TextNode {
  type: 'text';
  value: string;
}

interface ElementNode {
  type: 'element';
  properties: { className?: unknown };
  children: SyntaxNode[];
}

type SyntaxNode = TextNode | ElementNode | { type: 'comment' | 'doctype' | 'root' };

/**
 * Lines of a text as coloured pieces; `null` where the language is not known or the text too long.
 * The highlighter and its grammars are loaded with the first use.
 */
export async function highlightedLines(language: string, text: string): Promise<Piece[][] | null> {
  if (text.length > LONGEST_TEXT) return null;
  const lowlight = await loadHighlighter();
  if (!lowlight.registered(language)) return null;
  return linesOfNodes(lowlight.highlight(language, text).children);
}

/** The highlighter itself, for tokens of a diff. */
export async function loadHighlighter() {
  const { lowlight } = await import('./lowlight.ts');
  return lowlight;
}

/** Flattens a tree of marked text into lines of pieces. */
export function linesOfNodes(nodes: SyntaxNode[]): Piece[][] {
  const lines: Piece[][] = [[]];
  const visit = (node: SyntaxNode, className: string | null): void => {
    if (node.type === 'text') return pushText(lines, node.value, className);
    if (node.type !== 'element') return;
    const own = node.properties.className;
    const next = Array.isArray(own) ? own.join(' ') : className;
    for (const child of node.children) visit(child, next);
  };
  for (const node of nodes) visit(node, null);
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

function pushText(lines: Piece[][], value: string, className: string | null): void {
  for (const [index, text] of value.split('\n').entries()) {
    if (index > 0) lines.push([]);
    if (text !== '') lines.at(-1)?.push({ text, className });
  }
}
