import type { z } from 'zod';
import { didYouMean } from './closest.ts';
import { NESTED } from './members.ts';
import { REFUSED, UNKNOWN_MEMBER } from './told.ts';

/** More than this in one message helps nobody. */
const MOST_FAULTS = 3;
const MOST_CHARACTERS = 60;
/** A longer list is in the documentation. */
const MOST_LISTED = 10;

/** Where a member stands for people: `, line 7`; empty where there is no text. */
export type PlaceOf = (path: readonly PropertyKey[]) => string;

/** Faults of a value, each with its YAML path, what was found and what is expected. */
export function explain(
  error: z.ZodError,
  value: unknown,
  known: readonly string[],
  placeOf: PlaceOf = () => '',
): string {
  // What is refused is told first: it may be why someone should look at the whole profile twice.
  const refused = (issue: z.core.$ZodIssue) => issue.message.startsWith(REFUSED);
  const sorted = [...error.issues].sort((a, b) => Number(refused(b)) - Number(refused(a)));
  const texts = sorted.flatMap((issue) => {
    const unknown =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key])
        : issue.message === UNKNOWN_MEMBER
          ? [issue.path]
          : [];
    if (unknown.length === 0) return [textOf(issue, value, placeOf)];
    return unknown.map((path) => unknownMember(path, known, placeOf));
  });
  const rest = texts.length - MOST_FAULTS;
  const shown = texts.slice(0, MOST_FAULTS).join('; ');
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}

function textOf(issue: z.core.$ZodIssue, value: unknown, placeOf: PlaceOf): string {
  const where = `${pathText(issue.path) || 'the profile'}${placeOf(issue.path)}`;
  if (issue.message.startsWith(REFUSED)) return `${where}: ${issue.message.slice(REFUSED.length)}`;
  const expected =
    issue.path.length === 0 ? 'a map of members, e.g. contextTokens: 32k' : issue.message;
  return `${where}: found ${foundAt(value, issue.path)}, expected ${expected}`;
}

function unknownMember(
  path: readonly PropertyKey[],
  known: readonly string[],
  placeOf: PlaceOf,
): string {
  const parent = pathText(path.slice(0, -1));
  const name = String(path.at(-1));
  const candidates = parent === '' ? known : (NESTED[parent] ?? []);
  const near = didYouMean(name, candidates);
  const few = candidates.length > 0 && candidates.length <= MOST_LISTED;
  const list = near === '' && few ? ` (there are ${candidates.join(', ')})` : near;
  return `${pathText(path)}${placeOf(path)}: there is no such member${list}`;
}

/** `sampling.topK`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function foundAt(value: unknown, path: readonly PropertyKey[]): string {
  let found = value;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  if (found === undefined) return 'nothing';
  const text = JSON.stringify(found) ?? typeof found;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}
