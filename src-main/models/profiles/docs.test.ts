import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { importProfile } from './files.ts';
import { KNOWN_MEMBERS } from './parse.ts';
import { PRESET_NAMES } from './presets.ts';
import { refusedVariable } from './refused-environment.ts';
import { refusedFlag } from './refused-flags.ts';
import { toYamlValue } from './write-yaml.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/profiles.md'), 'utf8');
const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Cells of the table of members, without the two rows of its head. */
const rows = section('Members')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the page lists every member, in order, and no other', () => {
  expect(rows.map(([, member]) => member)).toEqual(KNOWN_MEMBERS.map((name) => `\`${name}\``));
});

test('the defaults it names are those of a profile that says nothing', () => {
  const defaults = toYamlValue(importProfile('', 'x'));
  const named = rows.flatMap(([, member = '', value = '']) =>
    value === 'by template' ? [] : [[member.slice(1, -1), parse(value.slice(1, -1))]],
  );
  expect(Object.fromEntries(named)).toEqual({
    ...defaults,
    reasoningParser: undefined,
    callParser: undefined,
  });
});

test('its example is a profile, and it names the presets', () => {
  const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
  expect(importProfile(example, 'x')).toMatchObject({
    ...{ preset: 'frognano-4b', contextTokens: 65_536, flags: { '--enforce-eager': true } },
  });
  for (const name of PRESET_NAMES) expect(section('Members')).toContain(`\`${name}\``);
});

test('what it calls refused is refused', () => {
  const words = [...section('What a profile may not say').matchAll(/`([^`\s]+)`/g)].map(
    (match) => match[1] ?? '',
  );
  const flags = words.filter((word) => word.startsWith('--') && word !== '--flag.member');
  expect(flags.length).toBeGreaterThan(20);
  const taken = flags.filter((flag) => refusedFlag(flag.replace('-*', '')) === null);
  expect(taken).toEqual([]);
  const variables = words.filter((word) => /^[A-Z_]+\*?$/.test(word));
  expect(variables.length).toBe(4);
  expect(variables.filter((name) => refusedVariable(name.replace('*', 'X')) === null)).toEqual([]);
});
