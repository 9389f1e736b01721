import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../lib/index.ts';
import { bootId } from './boot-id.ts';
import {
  readAccess,
  readRecord,
  removeFile,
  serverFiles,
  writeStopped,
  type ServerProof,
  type ServerRecord,
} from './files.ts';
import { takeLock } from './lock.ts';
import type { SupervisorLimits } from './options.ts';
import { findCarriers } from './process-finder.ts';
import { executableOf } from './process-table.ts';
import { NO_SERVER } from './status-board.ts';
import { signalAll } from './sweep.ts';

const LOOK_MS = 50;

/** Whether the leader that the record names is there, and is it: not another with its pid. */
export function leaderLives(proof: ServerProof): boolean {
  if (proof.bootId !== bootId()) return false;
  if (!isAlive(`${proof.pid}.${proof.startTicks}.${proof.bootId}`)) return false;
  // What cannot be read proves nothing; a name that differs proves that it is another.
  const executable = executableOf(proof.pid);
  return proof.executable === null || executable === null || executable === proof.executable;
}

/**
 * Ends what a dead owner of the server left, and records it as stopped. Only processes that carry
 * the server's own nonce in the environment they were started with are touched.
 *
 * @returns whether there was anything to put right
 */
export async function reapServer(
  home: string,
  name: string,
  limits: Pick<SupervisorLimits, 'graceMs' | 'killMs'>,
): Promise<boolean> {
  const files = serverFiles(home, name);
  const record = readRecord(files);
  if (record === null || !isLeft(record)) return false;
  const { lock } = takeLock(files.lock, 'reap');
  // Somebody owns it, or does this very thing.
  if (lock === null) return false;
  try {
    const nonce = record.proof?.nonce ?? readAccess(files)?.nonce;
    if (nonce !== undefined) await endCarriers(nonce, limits);
    if (record.proof?.container) await removeContainer(record.proof.container);
    removeFile(files.access);
    removeFile(files.stop);
    const last = { plan: record.plan, memory: record.memory, logFile: record.logFile };
    const { engine, version } = record;
    writeStopped(files, {
      ...NO_SERVER,
      ...last,
      name,
      engine,
      version,
      since: Date.now(),
      proof: null,
    });
    return true;
  } finally {
    lock.release();
  }
}

/** Its record says that it runs, and its owner does not. */
export function isLeft(record: ServerRecord): boolean {
  if (record.state === 'stopped') return false;
  if (record.state === 'failed' && record.proof === null) return false;
  return record.owner === null || !isAlive(record.owner);
}

async function endCarriers(
  nonce: string,
  limits: Pick<SupervisorLimits, 'graceMs' | 'killMs'>,
): Promise<void> {
  const started = performance.now();
  for (;;) {
    const left = findCarriers(nonce);
    const passed = performance.now() - started;
    if (left.length === 0 || passed > limits.graceMs + limits.killMs) return;
    signalAll(left, passed > limits.graceMs ? 'SIGKILL' : 'SIGTERM');
    await sleep(LOOK_MS);
  }
}

function removeContainer(container: { name: string; remover: string }): Promise<void> {
  return new Promise((resolve) => {
    execFile(container.remover, ['rm', '-f', container.name], { timeout: 10_000 }, () => resolve());
  });
}
