/** Temporary folders for half-made images: named for their owner, so that a dead one's are found. */
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { readText } from '../setup/files.mjs';
import { run } from '../setup/run.mjs';

const PREFIX = 'vivarium-image-';

/**
 * `/tmp` is often a small memory file system or forbids device files and programs; `/var/tmp` is
 * made for what is large.
 */
function parentFolder() {
  return existsSync('/var/tmp') ? '/var/tmp' : os.tmpdir();
}

/**
 * Calls `work` with a fresh folder and removes it afterwards, whatever happened.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withWorkbench(work) {
  await removeAbandoned();
  const folder = mkdtempSync(path.join(parentFolder(), `${PREFIX}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await removeTree(folder);
  }
}

/** @param {string} name @returns {number | undefined} the process that owns a folder of ours */
export function ownerOf(name) {
  const match = /^vivarium-image-(\d+)-/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** @returns {Promise<string[]>} the half-made trees of dead builds, now removed */
export async function removeAbandoned(parent = parentFolder()) {
  const abandoned = readdirSync(parent).filter((name) => {
    const owner = ownerOf(name);
    return owner !== undefined && owner !== process.pid && !existsSync(`/proc/${owner}`);
  });
  for (const name of abandoned) await removeTree(path.join(parent, name));
  return abandoned;
}

/**
 * Whatever is still mounted below the folder (a `/proc` of a killed build) goes first: removing
 * through a mount would reach the machine's own files.
 *
 * @param {string} folder
 */
async function removeTree(folder) {
  const mounts = (readText('/proc/self/mountinfo') ?? '')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of mounts.toReversed()) await run('umount', ['--lazy', point]);
  await run('rm', ['-rf', '--one-file-system', '--', folder]);
}
