import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cruiseImports } from '../../scripts/check-imports.mjs';
import { importRules } from '../../scripts/import-rules.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'vivarium-imports-'));
  write('package.json', '{"name":"planted","type":"module","dependencies":{"zod":"1"}}');
  for (const room of [
    'agent',
    'contract',
    'core',
    'doors',
    'fix',
    'git',
    'lib',
    'models',
    'store',
  ]) {
    write(`src-main/${room}/index.ts`, 'export const face = 1;\nexport type Face = number;\n');
    write(`src-main/${room}/inner.ts`, 'export const inner = 1;\n');
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** The rules that fire when one file with one import is planted. */
async function rulesFor(file: string, code: string): Promise<string[]> {
  write(file, `${code}\n`);
  const { violations } = await cruiseImports(root);
  return violations.filter((line) => line.includes(file)).map((line) => line.split(':')[0] ?? '');
}

/** The rule that keeps a room from importing those above it is named for all rooms of its height. */
function upwardRuleOf(room: string): string {
  const names = importRules().map(({ name = '' }) => name);
  return names.find((name) => name.startsWith('nothing-above-') && name.includes(`-${room}`)) ?? '';
}

it.each([
  ['src-main/core/planted.ts', "import { face } from '../fix/index.ts';"],
  ['src-main/fix/planted.ts', "import { face } from '../store/index.ts';"],
  ['src-main/agent/planted.ts', "import type { Face } from '../models/index.ts';"],
  ['src-main/agent/planted.test.ts', "import { face } from '../models/index.ts';"],
  ['src-main/doors/electron/planted.ts', "import { face } from '../../core/index.ts';"],
  ['src-renderer/planted.tsx', "import { face } from '../src-main/contract/index.ts';"],
])('allows %s: %s', async (file, code) => {
  expect(await rulesFor(file, code)).toEqual([]);
});

it.each([
  ['rooms-by-their-face', 'src-main/fix/planted.ts', "import { inner } from '../store/inner.ts';"],
  [
    'rooms-by-their-face',
    'src-main/fix/planted.ts',
    "import type { inner } from '../git/inner.ts';",
  ],
  ['rooms-by-their-face', 'src-main/git/p.test.ts', "import { inner } from '../lib/inner.ts';"],
  [upwardRuleOf('fix'), 'src-main/fix/planted.ts', "import { face } from '../core/index.ts';"],
  [upwardRuleOf('agent'), 'src-main/store/planted.ts', "import { face } from '../fix/index.ts';"],
  [
    upwardRuleOf('git'),
    'src-main/lib/planted.ts',
    "import type { Face } from '../store/index.ts';",
  ],
  ['contract-is-the-bottom', 'src-main/contract/p.ts', "import { face } from '../lib/index.ts';"],
  ['contract-is-the-bottom', 'src-main/contract/p.ts', "import fs from 'node:fs';"],
  ['agent-knows-types-only', 'src-main/agent/p.ts', "import { face } from '../models/index.ts';"],
  ['electron-in-its-door-only', 'src-main/core/p.ts', "import { app } from 'electron';"],
  ['electron-in-its-door-only', 'src-main/doors/cli/p.ts', "import { app } from 'electron';"],
  [
    'renderer-knows-contract-only',
    'src-renderer/p.ts',
    "import { face } from '../src-main/core/index.ts';",
  ],
  [
    'renderer-knows-contract-only',
    'src-renderer/p.tsx',
    "import { inner } from '../src-main/contract/inner.ts';",
  ],
  ['scripts-by-one-door', 'src-main/core/p.ts', "import '../../scripts/setup.mjs';"],
  ['known-rooms', 'src-main/novel/p.ts', "import { face } from '../lib/index.ts';"],
  ['everything-resolves', 'src-main/core/p.ts', "import './not-there.ts';"],
  ['setup-needs-nothing-installed', 'scripts/setup/p.mjs', "import 'zod';"],
])('%s catches %s: %s', async (rule, file, code) => {
  write('scripts/setup.mjs', 'export {};\n');
  expect(await rulesFor(file, code)).toContain(rule);
});

it('no-cycles catches two files that import each other, types included', async () => {
  write('src-main/core/a.ts', "import type { B } from './b.ts';\nexport type A = B | 1;\n");
  write('src-main/core/b.ts', "import type { A } from './a.ts';\nexport type B = A | 2;\n");
  const { violations } = await cruiseImports(root);
  expect(violations.filter((line) => line.startsWith('no-cycles'))).not.toEqual([]);
});

it('counts the modules and imports that it saw', async () => {
  write('src-main/core/planted.ts', "import { face } from '../fix/index.ts';\n");
  expect(await cruiseImports(root)).toEqual({ modules: 19, imports: 1, violations: [] });
});
