import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { LicenceStatement } from '../servers/library-types.ts';
import { readSmall } from './read-at.ts';

const MAX_TEXT_BYTES = 4 * 2 ** 20;
const MAX_STATEMENT = 120;

/** Names of licences as texts write them, with the short name they all mean. */
const KNOWN: readonly [RegExp, string][] = [
  [/\bApache(?:\s+Licen[cs]e)?(?:,?\s+Version|,?\s+v\.?)?[\s-]*2(?:\.0)?\b/i, 'apache-2.0'],
  [/\bAGPL[\s-]*v?3(?:\.0)?\b|\bGNU Affero General Public Licen[cs]e\b/i, 'agpl-3.0'],
  [/\bLGPL[\s-]*v?[23](?:\.\d)?\b|\bGNU Lesser General Public Licen[cs]e\b/i, 'lgpl'],
  [/\bGPL[\s-]*v?[23](?:\.0)?\b|\bGNU General Public Licen[cs]e\b/i, 'gpl'],
  [/\bMPL[\s-]*2(?:\.0)?\b|\bMozilla Public Licen[cs]e\b/i, 'mpl-2.0'],
  [/\bBSD[\s-]*[234][\s-]*Clause\b|\bBSD\b/i, 'bsd'],
  [/\bCC[\s-]BY(?:[\s-](?:NC|SA|ND))*(?:[\s-]\d\.\d)?\b|\bCreative Commons\b/i, 'cc'],
  [/\bLlama[\s-]*\d?(?:\.\d)?\s+Community Licen[cs]e\b/i, 'llama'],
  [/\bGemma\s+(?:Terms of Use|Licen[cs]e)\b/i, 'gemma'],
  [/\b(?:Tongyi\s+)?Qwen\s+(?:Research\s+)?Licen[cs]e\b/i, 'qwen'],
  [/\b(?:Creative\s?ML\s+)?Open\s?RAIL(?:-?\+?\+?M)?\b/i, 'openrail'],
  [/\bMicrosoft Research Licen[cs]e\b/i, 'msrla'],
  [/\bMIT\b/, 'mit'],
];

/** The short name of the licence a statement means, as far as we know it; else its own words. */
export function licenceMeant(statement: string): string {
  return KNOWN.find(([pattern]) => pattern.test(statement))?.[1] ?? plain(statement);
}

function plain(statement: string): string {
  return /^mit$/i.test(statement.trim()) ? 'mit' : statement.trim().toLowerCase();
}

/** Whether statements name more than one licence (`MIT` and `mit` are one). */
export function licencesDiffer(statements: readonly LicenceStatement[]): boolean {
  return new Set(statements.map(({ licence }) => licenceMeant(licence))).size > 1;
}

export interface ModelCard {
  licences: LicenceStatement[];
  /** Title and base models, as names to recognise the model by. */
  names: string[];
  hasFrontMatter: boolean;
}

/** What README.md and LICENSE of a folder say; nothing there is nothing said. */
export async function readModelCard(folder: string): Promise<ModelCard> {
  const entries = await readdir(folder);
  const readme = entries.find((name) => /^readme(?:\.md)?$/i.test(name));
  const card = cardOf(readme, await textOf(folder, readme));
  for (const name of entries.toSorted()) {
    if (!/^(?:licen[cs]e|copying)(?:[._-].*)?$/i.test(name)) continue;
    const licence = headOfLicence((await textOf(folder, name)) ?? '');
    if (licence !== null) card.licences.push({ source: name, licence });
  }
  return card;
}

/** A card that cannot be read says nothing; the model may still be whole. */
async function textOf(folder: string, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null;
  return readSmall(join(folder, name), MAX_TEXT_BYTES).catch(() => null);
}

function cardOf(name: string | undefined, text: string | null): ModelCard {
  const card: ModelCard = { licences: [], names: [], hasFrontMatter: false };
  if (name === undefined || text === null) return card;
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const matter = match === null ? {} : frontMatter(match[1] ?? '');
  card.hasFrontMatter = match !== null;
  for (const licence of licencesOf(matter)) {
    card.licences.push({ source: `${name} (front matter)`, licence });
  }
  const body = text.slice(match?.[0].length ?? 0);
  for (const licence of licencesInProse(body)) {
    card.licences.push({ source: `${name} (text)`, licence });
  }
  const title = /^#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1];
  if (title !== undefined) card.names.push(title.slice(0, MAX_STATEMENT));
  card.names.push(...texts(matter['base_model']));
  return card;
}

function frontMatter(text: string): Record<string, unknown> {
  try {
    const value: unknown = parse(text, { maxAliasCount: 20 });
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** `other` says only that `license_name` has the name. */
function licencesOf(matter: Record<string, unknown>): string[] {
  const stated = texts(matter['license']);
  const named = texts(matter['license_name']);
  return named.length === 0 ? stated : [...stated.filter((name) => name !== 'other'), ...named];
}

function texts(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list
    .filter((item) => typeof item === 'string')
    .map((item) => item.trim().slice(0, MAX_STATEMENT))
    .filter((item) => item !== '');
}

/** Licences named in sentences that are about a licence; the words that name them, verbatim. */
function licencesInProse(body: string): string[] {
  const found = new Set<string>();
  let inSection = false;
  for (const line of body.split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (heading !== null) inSection = /licen[cs]/i.test(heading[1] ?? '');
    if (!inSection && !/licen[cs]/i.test(line)) continue;
    for (const named of namedIn(line)) found.add(named);
  }
  return [...found];
}

function namedIn(line: string): string[] {
  // Each match is taken out, so that `AGPL` is not read as `GPL` a second time.
  let rest = line;
  const found: { at: number; words: string }[] = [];
  for (const [pattern] of KNOWN) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    found.push({ at: match.index, words: match[0].replace(/\s+/g, ' ') });
    rest = rest.replace(match[0], ' '.repeat(match[0].length));
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ words }) => words);
}

/** The title of a licence text: its first words that name a known licence, else its first line. */
function headOfLicence(text: string): string | null {
  const head = text.split(/\r?\n/).map((line) => line.trim());
  const lines = head.filter((line) => line !== '').slice(0, 4);
  const joined = lines.join(' ');
  for (const [pattern] of KNOWN) {
    const match = pattern.exec(joined);
    if (match !== null) return match[0];
  }
  return lines[0]?.slice(0, MAX_STATEMENT) ?? null;
}
