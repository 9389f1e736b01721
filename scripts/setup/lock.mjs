/** One set-up at a time in a checkout: two `npm ci` in one folder destroy each other's work. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, readText } from './files.mjs';

const POLL_MS = 300;

/**
 * Waits for another set-up that runs, never for one that was killed.
 *
 * @template T
 * @param {import('./report.mjs').Reporter} reporter
 * @param {() => Promise<T>} work
 * @param {string} [file]
 * @returns {Promise<T>}
 */
export async function withLock(reporter, work, file = path.join(ROOT, '.cache', 'bootstrap.pid')) {
  mkdirSync(path.dirname(file), { recursive: true });
  let said = false;
  while (!take(file)) {
    if (!said) reporter.line(`  waiting for another set-up (process ${readText(file)?.trim()})`);
    said = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function take(file) {
  if (create(file)) return true;
  if (isAlive(Number(readText(file)))) return false;
  rmSync(file, { force: true });
  return create(file);
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
