export { languageOf } from './languages.ts';
export { syntaxReader, type ReadSyntax } from './read-syntax.ts';
export { ancestors, childOf, partsOf, walk, type SyntaxNode } from './syntax-node.ts';
