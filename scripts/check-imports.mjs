#!/usr/bin/env node
/**
 * Checks the import rules and that the checker saw the code: with a TypeScript it does not
 * know, dependency-cruiser reads no module and reports success.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { importRules } from './import-rules.mjs';
import { ROOT, isMain } from './setup/files.mjs';

const FOLDERS = ['src-main', 'src-renderer', 'scripts', 'test'];

/** Fewer modules than this were not looked at, the renderer's among them; raise it as the code grows. */
const FLOOR_MODULES = 1000;

/** Fewer imports between them were not understood. */
const FLOOR_IMPORTS = 4000;

/**
 * @param {string} root folder that holds `src-main` and so on
 * @returns {Promise<{ modules: number, imports: number, violations: string[] }>} of our own code
 */
export async function cruiseImports(root) {
  const { cruise } = await import('dependency-cruiser');
  const result = await cruise(
    FOLDERS.filter((folder) => existsSync(path.join(root, folder))),
    {
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: importRules() },
      doNotFollow: { path: 'node_modules' },
      tsPreCompilationDeps: true,
      combinedDependencies: false,
    },
    {
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'node'],
    },
  );
  if (typeof result.output === 'string') throw new Error(result.output);
  const { modules, summary } = result.output;
  const own = modules.filter(({ source }) => FOLDERS.some((name) => source.startsWith(`${name}/`)));
  return {
    modules: own.length,
    imports: own.reduce((sum, { dependencies }) => sum + dependencies.length, 0),
    violations: summary.violations.map(
      ({ rule, from, to, cycle }) =>
        `${rule.name}: ${from} -> ${cycle?.map(({ name }) => name).join(' -> ') ?? to}`,
    ),
  };
}

async function main() {
  const { modules, imports, violations } = await cruiseImports(ROOT);
  for (const violation of violations) console.error(violation);
  console.log(`${modules} modules, ${imports} imports, ${violations.length} against the rules`);
  if (modules >= FLOOR_MODULES && imports >= FLOOR_IMPORTS) return violations.length === 0 ? 0 : 1;
  console.error(
    `too few: at least ${FLOOR_MODULES} modules and ${FLOOR_IMPORTS} imports are there`,
  );
  return 1;
}

if (isMain(import.meta.filename)) process.exitCode = await main();
