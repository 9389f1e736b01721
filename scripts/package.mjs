#!/usr/bin/env node
/**
 * `npm run package`: makes installable packages of the app for this platform, without network. Words
 * go to electron-builder, e.g. `npm run package -- --dir` for the folder alone.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { whyNoPackage } from './packaging/needs.mjs';
import { whyNoTools } from './packaging/tools.mjs';
import { ROOT, isMain } from './setup/files.mjs';

const MISSING = 3;

/** @param {string} program @param {string[]} words @returns {number} exit code */
function run(program, words) {
  const { status, error } = spawnSync(path.join(ROOT, 'node_modules', '.bin', program), words, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ELECTRON_MAJOR_VER: '45' },
  });
  if (error !== undefined) console.error(error.message);
  return status ?? MISSING;
}

/** @param {string[]} words @returns {number} exit code */
export function makePackages(words) {
  const { env, platform, arch } = process;
  const need = whyNoPackage(ROOT, env, platform);
  // What is not built yet is built here; everything else is for a person to do.
  const missing =
    (need?.cause.includes('not built') ? null : need) ?? whyNoTools({ words, env, platform, arch });
  if (missing !== null) {
    console.error(`no package: ${missing.cause}\n${missing.next}`);
    return MISSING;
  }
  const built = run('electron-vite', ['build', '--logLevel', 'warn']);
  if (built !== 0) return built;
  return run('electron-builder', [
    '--config',
    'electron-builder.config.mjs',
    '--publish',
    'never',
    ...words,
  ]);
}

if (isMain(import.meta.filename)) process.exitCode = makePackages(process.argv.slice(2));
