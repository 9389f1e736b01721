import { createRequire } from 'node:module';
import { Language as Grammar, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { Language } from '../types.ts';
import type { SyntaxNode } from './syntax-node.ts';

export interface Syntax {
  root: SyntaxNode;
  /** Nodes that the parser could not read, or had to add. */
  errors: number;
}

/** Reads source text; `null` = the parser gave up. Frees all it took before it returns. */
export type ReadSyntax = (source: string) => Syntax | null;

const grammars = new Map<Language, Promise<Grammar>>();
let runtime: Promise<void> | null = null;

async function loadGrammar(language: Language): Promise<Grammar> {
  runtime ??= Parser.init();
  await runtime;
  const { resolve } = createRequire(import.meta.url);
  return Grammar.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`));
}

/** A reader of one language; grammars are loaded once a process. */
export async function syntaxReader(language: Language): Promise<ReadSyntax> {
  const loading = grammars.get(language) ?? loadGrammar(language);
  grammars.set(language, loading);
  const grammar = await loading;
  return (source) => {
    const parser = new Parser();
    let tree: Tree | null = null;
    try {
      tree = parser.setLanguage(grammar).parse(source);
      return tree && copyTree(tree, source);
    } finally {
      tree?.delete();
      parser.delete();
    }
  };
}

/** No person nests as deep; hostile and generated files do, and all that climbs to the root is slow. */
const DEEPEST = 1000;

type OpenNode = SyntaxNode & { children: SyntaxNode[] };

/** `null` = nested too deep. */
function copyTree(tree: Tree, source: string): Syntax | null {
  const cursor = tree.walk();
  try {
    let errors = 0;
    const copy = (parent: OpenNode | null): OpenNode => {
      const node = copyNode(cursor, source, parent);
      errors += node.type === 'ERROR' || cursor.nodeIsMissing ? 1 : 0;
      parent?.children.push(node);
      return node;
    };
    const root = copy(null);
    let at = root;
    let depth = 0;
    for (;;) {
      if (cursor.gotoFirstChild()) {
        depth += 1;
        if (depth > DEEPEST) {
          return null;
        }
        at = copy(at);
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          return { root, errors };
        }
        depth -= 1;
        at = at.parent as OpenNode;
      }
      at = copy(at.parent as OpenNode);
    }
  } finally {
    cursor.delete();
  }
}

function copyNode(cursor: TreeCursor, source: string, parent: SyntaxNode | null): OpenNode {
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  return {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    field: cursor.currentFieldName,
    start,
    end,
    // A slice shares the memory of the source.
    text: source.slice(start, end),
    parent,
    children: [],
  };
}
