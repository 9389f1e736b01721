/**
 * A node of a syntax tree, copied out of the parser's memory: nothing has to be freed, and a walk
 * costs no calls into the parser. Positions are UTF-16 units of the source, as `String.slice` takes.
 */
export interface SyntaxNode {
  type: string;
  /** False for punctuation, keywords and operators. */
  named: boolean;
  /** Its name in the parent, such as `left`; `null` = none. */
  field: string | null;
  start: number;
  end: number;
  text: string;
  parent: SyntaxNode | null;
  children: readonly SyntaxNode[];
}

/** The first child with this field name. */
export function childOf(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.children.find((child) => child.field === field) ?? null;
}

/** Named children that are no comments. */
export function partsOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(({ named, type }) => named && type !== 'comment');
}

/** The node and all below it that `enter` does not keep out, in order of the source. */
export function* walk(
  root: SyntaxNode,
  enter: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode> {
  // A stack of our own: nesting of hostile files is deeper than that of the engine.
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!enter(node)) {
      continue;
    }
    yield node;
    waiting.push(...node.children.toReversed());
  }
}

/** From the parent upwards. */
export function* ancestors(node: SyntaxNode): Generator<SyntaxNode> {
  for (let at = node.parent; at; at = at.parent) {
    yield at;
  }
}
