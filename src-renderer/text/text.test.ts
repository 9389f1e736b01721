import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const TEXTS = globSync('text/en/*.ts', { cwd: ROOT }).toSorted();
const SOURCES = globSync('**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !file.startsWith('text/') && !file.includes('.test.'))
  .map((file): [string, string] => [file, withoutAliases(sourceOf(file))]);
const WORDS = TEXTS.map(sourceOf).join('\n');
/** The page of all components speaks to engineers. */
const COMPONENTS = SOURCES.filter(
  ([file]) => file.endsWith('.tsx') && !file.startsWith('testing/'),
);
const ALL = SOURCES.map(([, source]) => source).join('\n');

describe('words for people', () => {
  it.each(TEXTS)('each of %s is used', async (file) => {
    const found = (await import(path.join(ROOT, file))) as Record<string, unknown>;
    const unused = Object.entries(found)
      .filter(([, value]) => typeof value === 'object')
      // A group that is a part of another text is looked at there.
      .filter(([name]) => !new RegExp(`: ${name},$`, 'm').test(WORDS))
      .flatMap(([name, value]) => unusedIn(name, value));
    expect(unused).toEqual([]);
  });

  it.each(COMPONENTS)('%s holds none in its JSX', (_file, source) => {
    expect(literalsIn(source)).toEqual([]);
  });

  it('sees literals where there are some', () => {
    const source = '<b title="Some words">{x}</b> <p>\n  Two words\n</p> <Tag label={`To do`} />';
    expect(literalsIn(source)).toEqual(['Two words', 'title="Some words"', 'label={`To do`}']);
    expect(literalsIn('a < b && c > (d) <p className="x y">{t.words}</p>')).toEqual([]);
  });
});

function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** `import { modelText as text }`: what is named `text` from here on is `modelText`. */
function withoutAliases(source: string): string {
  const aliases = source.matchAll(/\b(\w+Text) as (\w+)\b/g);
  return [...aliases].reduce(
    (code, [, name = '', alias = '']) =>
      code.replaceAll(new RegExp(`(?<![.\\w])${alias}(?=[.)\\[;,])`, 'g'), name),
    source,
  );
}

/** Paths that no source names; a group that is looked into by a variable counts as used as a whole. */
function unusedIn(name: string, value: unknown): string[] {
  if (isUsed(name, value)) return [];
  if (typeof value !== 'object' || value === null) return [name];
  return Object.entries(value).flatMap(([key, inner]) => unusedIn(`${name}.${key}`, inner));
}

function isUsed(name: string, value: unknown): boolean {
  const exact = name.replaceAll('.', '\\.');
  const isGroup = typeof value === 'object' && value !== null;
  // A leaf is named; a group is indexed, handed on whole, or listed.
  return new RegExp(isGroup ? `\\b${exact}(?:\\[|\\)|;|,|$)` : `\\b${exact}\\b`, 'm').test(ALL);
}

/** Text between tags, and words in the attributes that people read or hear. */
function literalsIn(source: string): string[] {
  const code = source
    .replaceAll(/\{\/\*[\s\S]*?\*\/\}|\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  const between = [...code.matchAll(/<[A-Za-z][^<>]*>([^<>{}]*[A-Za-z]{2}[^<>{}]*)<\/[A-Za-z]/g)]
    .map(([, text = '']) => text.trim())
    .filter((text) => !/[;=]|=>|&&|\|\|/.test(text));
  const attributes = [
    ...code.matchAll(
      /\b(?:title|label|aria-label|placeholder|alt|words|hint|confirm)=(?:"[^"]*[A-Za-z]{2}[^"]*"|\{`[^`$]+`\}|\{'[^']+'\})/g,
    ),
  ].map(([text]) => text);
  return [...between, ...attributes];
}
