import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Supervisor } from '../../servers/types.ts';
import { createSupervisor } from '../index.ts';
import type { SupervisorOptions } from '../options.ts';
import { findCarriers } from '../process-finder.ts';

/** Times short enough for tests and long enough for a loaded machine. */
export const QUICK = { tickMs: 50, backOffMs: 20, graceMs: 500, figuresMs: 50, foreignMs: 300 };

/** A folder that goes away with the test. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'vivarium-servers-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** A supervisor whose servers end with the test. */
export function testSupervisor(home: string, options: Partial<SupervisorOptions> = {}): Supervisor {
  const supervisor = createSupervisor({
    home,
    env: process.env,
    ...options,
    limits: { ...QUICK, ...options.limits },
  });
  onTestFinished(() => supervisor.close());
  return supervisor;
}

/** Pids of what carries the nonce: the server and its children. */
export function carriers(nonce: string): number[] {
  return findCarriers(nonce).map(({ pid }) => pid);
}

/** Pids of the guards, which are told the nonce in their arguments. */
export function guardsOf(nonce: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
        return words[3] === 'vivarium-guard' && words[4] === nonce;
      } catch {
        return false;
      }
    });
}

/** Polls until the condition holds; the time it took, or `null` after the limit. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | null> {
  const started = performance.now();
  while (performance.now() - started < limitMs) {
    if (await condition()) return performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}
