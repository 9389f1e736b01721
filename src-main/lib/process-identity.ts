import { readFileSync } from 'node:fs';

/**
 * Names one process for ever: a pid alone is reused, together with its start time and the boot it
 * is unique. Form: `pid.startTicks.bootId` (Linux); elsewhere the last two are `0`.
 */
export function processIdentity(pid: number = process.pid): string {
  return [pid, startTicks(pid) ?? '0', bootId()].join('.');
}

/** Whether the very process that {@link processIdentity} named still runs. */
export function isAlive(identity: string): boolean {
  const [pidText = '', ticks = '', ...boot] = identity.split('.');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (boot.join('.') !== bootId()) return false;
  if (ticks === '0') return signalReaches(pid);
  return startTicks(pid) === ticks;
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of /proc/PID/stat; a zombie counts as gone. */
function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '0';
  }
}
