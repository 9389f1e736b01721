/** Tells what a killed Docker daemon left behind, and what to do about it. */
import path from 'node:path';
import { readText } from './files.mjs';

/**
 * @typedef {object} PidFile
 * @property {string} file
 * @property {number | undefined} pid undefined where the file holds no number
 * @property {boolean} running whether that process runs and is the program that wrote the file; a
 *   number that another program has got since, and a zombie, are not running
 */

/** @typedef {{ dockerd: PidFile | undefined, containerd: PidFile | undefined }} Leftovers */

/** @typedef {{ remove: string[], end: number[], wait: boolean }} Plan */

/**
 * Decides on facts alone; called only when the socket does not answer.
 *
 * @param {Leftovers} found
 * @returns {Plan} files to remove, processes to end, and whether a daemon is just starting
 */
export function planRepair({ dockerd, containerd }) {
  if (dockerd?.running === true) return { remove: [], end: [], wait: true };
  /** @type {Plan} */
  const plan = { remove: [], end: [], wait: false };
  if (dockerd !== undefined) plan.remove.push(dockerd.file);
  if (containerd === undefined) return plan;
  // Its daemon is dead: it would hold the locks that the next one needs.
  if (containerd.running && containerd.pid !== undefined) plan.end.push(containerd.pid);
  plan.remove.push(containerd.file);
  return plan;
}

/**
 * @param {{ pidFile: string, execRoot: string }} place
 * @returns {Leftovers}
 */
export function findLeftovers({ pidFile, execRoot }) {
  return {
    dockerd: readPidFile(pidFile, 'dockerd'),
    containerd: readPidFile(path.join(execRoot, 'containerd', 'containerd.pid'), 'containerd'),
  };
}

/**
 * @param {string} file @param {string} program
 * @returns {PidFile | undefined} undefined when there is no such file
 */
export function readPidFile(file, program) {
  const text = readText(file);
  if (text === undefined) return undefined;
  const pid = /^\s*(\d+)\s*$/.exec(text)?.[1];
  if (pid === undefined) return { file, pid: undefined, running: false };
  return { file, pid: Number(pid), running: programOf(pid) === program };
}

/**
 * @param {string} pid
 * @returns {string | undefined} the program's name, undefined for no process and for a zombie
 */
function programOf(pid) {
  const match = /^\d+ \((.*)\) (\w)/s.exec(readText(`/proc/${pid}/stat`) ?? '');
  return match === null || match[2] === 'Z' ? undefined : match[1];
}
