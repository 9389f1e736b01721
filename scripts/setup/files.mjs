/** Small helpers for files that set-up reads and writes. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

/** The root of the checkout, or of what was built from it. */
export const ROOT = rootAbove(import.meta.dirname);

/** @param {string} folder @returns {string} */
function rootAbove(folder) {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, 'package.json')) || parent === folder
    ? folder
    : rootAbove(parent);
}

/** @param {string | Buffer} data @returns {string} */
export function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** @param {string} file @returns {Promise<string>} */
export async function sha256OfFile(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param {string} file @returns {string | undefined} the text, or undefined where it can't be read */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whether a module is the program that was started, also through a symbolic link on the way.
 *
 * @param {string} filename `import.meta.filename` of the module
 */
export function isMain(filename) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;
}
