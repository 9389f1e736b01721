import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { VivariumError } from '../../lib/index.ts';
import type { EngineSource, ModelProfile } from '../servers/types.ts';
import { presetNamed } from './presets.ts';
import { parseProfile } from './parse.ts';
import { pairOf } from './yaml-text.ts';

/** The members as YAML has them; the name is that of the folder. */
export function toYamlValue(profile: ModelProfile): Record<string, unknown> {
  const { name: _, preset, source, ...members } = profile;
  return { preset, ...members, source: sourceValue(source) };
}

function sourceValue(source: EngineSource): unknown {
  switch (source.kind) {
    case 'auto':
      return 'auto';
    case 'venv':
      return { venv: source.folder };
    case 'program':
      return { program: source.file };
    case 'container':
      return { container: source.image };
  }
}

/** A text with every member, and the preset's words on why its values are what they are. */
export function newText(profile: ModelProfile): string {
  const document = parseDocument(presetNamed(profile.preset).text);
  const { contents } = document;
  const match = isMap(contents) ? pairOf(contents, 'match') : undefined;
  if (isMap(contents) && isScalar(match?.key)) {
    // What the file begins with, the words on the preset, stands on its first key.
    match.key.value = 'preset';
    match.value = document.createNode(profile.preset);
  }
  for (const [member, value] of Object.entries(toYamlValue(profile)))
    assign(document, [member], value);
  return textOf(document);
}

/**
 * The text with the members that differ set to the profile's; comments, order and what is not changed
 * stay as the person wrote them.
 */
export function changedText(text: string, profile: ModelProfile, shown: string): string {
  const { profile: before, yaml } = parseProfile(text, profile.name, shown);
  const old = toYamlValue(before);
  const changed = Object.entries(toYamlValue(profile)).filter(
    ([member, value]) => !isDeepStrictEqual(value, old[member]),
  );
  if (changed.length === 0) return text;
  for (const [member, value] of changed) assign(yaml.document, [member], value);
  return checked(yaml.document, profile, shown);
}

/** Anchors tie members together: one cannot be set without the other, or is lost with it. */
function checked(document: Document, profile: ModelProfile, shown: string): string {
  try {
    const text = textOf(document);
    const { profile: written } = parseProfile(text, profile.name, shown);
    if (isDeepStrictEqual(written, profile)) return text;
  } catch (error) {
    throw tied(shown, error);
  }
  throw tied(shown);
}

function tied(shown: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'profile_invalid',
    `${shown} uses anchors (&name, *name) in a way that only you can change`,
    'Change it in an editor, or write the values out.',
    cause,
  );
}

/** The text with the members that it leaves to its preset written out. */
export function completedText(text: string, name: string, shown: string): string {
  const { profile, yaml } = parseProfile(text, name, shown);
  const missing = Object.entries(toYamlValue(profile)).filter(
    ([member]) => !yaml.document.has(member),
  );
  if (missing.length === 0) return text;
  for (const [member, value] of missing) assign(yaml.document, [member], value);
  return textOf(yaml.document);
}

/** Sets only what differs, so that comments within maps stay. */
function assign(document: Document, path: string[], value: unknown): void {
  const node = document.getIn(path, true);
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!plain || !isMap(node) || node.items.length === 0) {
    const now = isMap(node) ? node.toJSON() : document.getIn(path);
    if (!document.hasIn(path) || !isDeepStrictEqual(now, value)) replaceAt(document, path, value);
    return;
  }
  const old: unknown = node.toJSON();
  for (const key of Object.keys(Object(old))) {
    if (!(key in value)) document.deleteIn([...path, key]);
  }
  for (const [key, inner] of Object.entries(value)) assign(document, [...path, key], inner);
}

/** A comment stands on the value; it stays when another kind of value takes the place. */
function replaceAt(document: Document, path: string[], value: unknown): void {
  const old = document.getIn(path, true);
  const plain = typeof value !== 'object' || value === null;
  if (plain && (isScalar(old) || old === undefined)) {
    document.setIn(path, value);
    return;
  }
  const node = document.createNode(value);
  const comments = isNode(old) ? [old.commentBefore, old.comment] : [];
  const kept = comments.filter((comment) => typeof comment === 'string').join('\n');
  if (kept !== '' && isNode(node)) node.commentBefore = kept;
  document.setIn(path, node);
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}
