import { syntaxReader, type ReadSyntax } from '../syntax/index.ts';
import { textOf, type SourceFile } from './source-files.ts';
import type { Unit } from './types.ts';
import { unitsOf } from './units.ts';

export interface ReadFile {
  source: string;
  errors: number;
  units: Unit[];
  read: ReadSyntax;
}

/** Files whose trees are held at a time: a tree takes some fifty times the room of its source. */
const HELD = 16;

/** Reads source files, and holds the trees of the last few. */
export function fileReader(): (file: SourceFile) => Promise<ReadFile | null> {
  const held = new Map<string, ReadFile>();
  return async ({ file, language }) => {
    const known = held.get(file.path);
    held.delete(file.path);
    const found = known ?? readFile(await syntaxReader(language), file, language);
    if (!found) {
      return null;
    }
    held.set(file.path, found);
    const [oldest] = held.keys();
    if (held.size > HELD && oldest !== undefined) {
      held.delete(oldest);
    }
    return found;
  };
}

function readFile(
  read: ReadSyntax,
  file: SourceFile['file'],
  language: SourceFile['language'],
): ReadFile | null {
  const source = textOf(file);
  const syntax = source === null ? null : read(source);
  if (source === null || !syntax) {
    return null;
  }
  return { source, errors: syntax.errors, units: unitsOf(syntax.root, language, source), read };
}
