import { type Document, isMap, isNode, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { PlaceOf } from './explain.ts';

/** YAML as it was written, with comments and order, and its plain value. */
export interface YamlText {
  document: Document;
  value: unknown;
  placeOf: PlaceOf;
}

/** Larger than any profile that a person would write. */
const MOST_CHARACTERS = 256 * 1024;

/** @throws VivariumError `profile_invalid` with the line of the first fault */
export function readYaml(text: string, shown: string): YamlText {
  if (text.length > MOST_CHARACTERS) throw invalidProfile(`${shown} is larger than 256 KiB`);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // A map as a key is refused as an unknown member; the library would warn on stderr as well.
    logLevel: 'error',
  });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    throw invalidProfile(`${shown} is not YAML: line ${line}: ${messageOf(fault)}`, fault);
  }
  let value: unknown;
  try {
    value = document.toJS() ?? {};
    // Members are written as JSON for engines and processes: one that holds itself cannot be.
    JSON.stringify(value);
  } catch (error) {
    // Anchors that multiply without end, or that lead back to themselves.
    throw invalidProfile(`${shown} is not YAML: ${messageOf(error)}`, error);
  }
  const placeOf: PlaceOf = (path) => {
    const node = keyNode(document, path);
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? '' : ` (line ${lines.linePos(start).line})`;
  };
  return { document, value, placeOf };
}

/** The key a member is written with: its value may stand lines below. */
function keyNode(document: Document, path: readonly PropertyKey[]): unknown {
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  return pairOf(parent, String(path.at(-1)))?.key;
}

/** The pair of a map under this key. */
export function pairOf(map: YAMLMap, key: string) {
  return map.items.find((pair) => {
    const name = isNode(pair.key) ? pair.key.toJSON() : pair.key;
    return String(name) === key;
  });
}

export function invalidProfile(message: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'profile_invalid',
    message,
    'Correct it; every member is described in docs/profiles.md.',
    cause,
  );
}
