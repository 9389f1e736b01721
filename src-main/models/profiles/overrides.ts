import { parse, YAMLParseError } from 'yaml';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { ModelProfile, ProfileOverrides } from '../servers/types.ts';
import { didYouMean } from './closest.ts';
import { KNOWN_MEMBERS, profileOf } from './parse.ts';
import { toYamlValue } from './write-yaml.ts';

/** Maps that are changed key by key; a key may hold dots, so the rest of a path is one key. */
const KEYED = new Set(['flags', 'environment']);

/**
 * Reads `--set NAME=VALUE` (the value is YAML: a scalar or a flow collection) and `--engine-flag`.
 * NAME may lead into a map: `sampling.temperature`. Later ones win.
 * @throws VivariumError `usage`
 */
export function parseOverrides(
  set: readonly string[] = [],
  engineFlags: readonly string[] = [],
): ProfileOverrides {
  const pairs = [...set.map(readSet), ...engineFlags.map(readEngineFlag)];
  return Object.fromEntries(pairs);
}

function readSet(text: string): [string, unknown] {
  const match = /^\s*([^=\s]+?)\s*=(.*)$/s.exec(text);
  if (!match?.[1])
    throw usage(`--set ${text} is not NAME=VALUE`, 'For example: --set contextTokens=32k');
  // A flag has its own "=" in front of its value: flags.--swap-space=4.
  return [match[1], yamlValue(match[2] ?? '', `--set ${text}`)];
}

/** Verbatim but for numbers: `--fit=on` is text here, which YAML 1.1 would take for true. */
function readEngineFlag(text: string): [string, unknown] {
  const match = /^(-[^=\s]*)(?:\s*=\s*|\s+)?(.*)$/s.exec(text.trim());
  if (!match?.[1]) {
    throw usage(
      `--engine-flag ${text} is not a flag`,
      "For example: --engine-flag=--enforce-eager or --engine-flag='--swap-space=4'",
    );
  }
  const [, flag, value = ''] = match;
  const key = `flags.${flag}`;
  if (value === '') return [key, text.includes('=') ? '' : true];
  if (value === 'null') return [key, null];
  return [key, String(Number(value)) === value ? Number(value) : value];
}

function yamlValue(text: string, shown: string): unknown {
  try {
    return parse(text, { prettyErrors: false }) ?? null;
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw usage(`${shown}: ${messageOf(error)}`, 'Put text with : or { into quotes.', error);
  }
}

/**
 * The profile with members replaced, by their YAML names; a name with dots leads into a map. `null`
 * removes: a key of a map is gone, a member is its preset's again, unless null is one of its values.
 * @throws VivariumError `profile_invalid` as for a file
 */
export function applyOverrides(profile: ModelProfile, overrides: ProfileOverrides): ModelProfile {
  const value = structuredClone(toYamlValue(profile));
  for (const [name, given] of Object.entries(overrides)) apply(value, name, given);
  return profileOf(value, profile.name, `the profile of ${profile.name} with what was set`);
}

function apply(value: Record<string, unknown>, name: string, given: unknown): void {
  const [member = '', ...rest] = name.split('.');
  if (!KNOWN_MEMBERS.includes(member)) {
    const near = didYouMean(member, KNOWN_MEMBERS);
    throw usage(
      `${name}: there is no such member${near}`,
      'Members are described in docs/profiles.md.',
    );
  }
  if (KEYED.has(member) && rest.length === 0 && isRecord(given)) {
    for (const [key, one] of Object.entries(given)) put(value, [member, key], one);
    return;
  }
  put(
    value,
    KEYED.has(member) && rest.length > 0 ? [member, rest.join('.')] : [member, ...rest],
    given,
  );
}

function put(target: Record<string, unknown>, path: readonly string[], given: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length > 0) {
    // Own members only: `sampling.__proto__.x` must not reach what all objects share.
    const inner = Object.hasOwn(target, key) ? target[key] : undefined;
    const map = isRecord(inner) ? inner : {};
    own(target, key, map);
    put(map, rest, given);
  } else if (given === null) remove(target, key);
  else own(target, key, given);
}

function own(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    ...{ value, writable: true, enumerable: true, configurable: true },
  });
}

/** Members for which null says something. */
const NULLABLE = new Set([
  ...['inputTokens', 'reasoningParser', 'callParser', 'chatTemplate', 'threads', 'idleMinutes'],
]);

function remove(target: Record<string, unknown>, key: string): void {
  if (NULLABLE.has(key)) target[key] = null;
  else delete target[key];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function usage(message: string, next: string, cause?: unknown): VivariumError {
  return new VivariumError('usage', message, next, cause);
}
