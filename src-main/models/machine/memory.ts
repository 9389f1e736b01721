import os from 'node:os';
import path from 'node:path';
import type { Machine } from '../servers/types.ts';
import { findGroups } from './cgroup.ts';
import { type Places, readText } from './places.ts';

/** Version 1 shows "no limit" as the greatest multiple of a page; nothing real is as big. */
const NO_LIMIT_BYTES = 2 ** 60;

interface Limit {
  totalBytes: number;
  availableBytes: number;
}

/**
 * Memory this process and what it starts may use: the least of what the machine has and what each
 * control group above us still allows.
 */
export async function readMemory(places: Places): Promise<Machine['memory']> {
  const machine = (await fromMeminfo(places)) ?? fromSystem();
  const limits = await groupLimits(places);
  const totalBytes = Math.min(machine.totalBytes, ...limits.map((limit) => limit.totalBytes));
  const availableBytes = Math.min(
    machine.availableBytes,
    ...limits.map((limit) => limit.availableBytes),
  );
  return { totalBytes, availableBytes: Math.max(0, availableBytes) };
}

async function fromMeminfo(places: Places): Promise<Limit | null> {
  const text = await readText(path.join(places.proc, 'meminfo'));
  const totalBytes = kibOf(text, 'MemTotal');
  if (totalBytes === null) return null;
  const free = kibOf(text, 'MemFree') ?? 0;
  const available = kibOf(text, 'MemAvailable');
  // Kernels before 3.14 do not tell; pages of files can be had back.
  return { totalBytes, availableBytes: available ?? free + (kibOf(text, 'Cached') ?? 0) };
}

function kibOf(text: string | null, name: string): number | null {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text ?? '');
  return match === null ? null : Number(match[1]) * 1024;
}

/** Windows and macOS, where the system tells both. */
function fromSystem(): Limit {
  return { totalBytes: os.totalmem(), availableBytes: process.availableMemory() };
}

async function groupLimits(places: Places): Promise<Limit[]> {
  const groups = await findGroups('memory', places);
  if (groups === null) return [];
  const read = groups.version === 2 ? limitOfV2 : limitOfV1;
  const limits = await Promise.all(groups.folders.map(read));
  return limits.filter((limit) => limit !== null);
}

async function limitOfV2(folder: string): Promise<Limit | null> {
  const [max, high, current, stat] = await Promise.all([
    readNumber(path.join(folder, 'memory.max')),
    // Above this a group is not killed but slowed down until nothing moves.
    readNumber(path.join(folder, 'memory.high')),
    readNumber(path.join(folder, 'memory.current')),
    readText(path.join(folder, 'memory.stat')),
  ]);
  return toLimit(Math.min(max ?? Infinity, high ?? Infinity), current, stat, '');
}

async function limitOfV1(folder: string): Promise<Limit | null> {
  const [max, current, stat] = await Promise.all([
    readNumber(path.join(folder, 'memory.limit_in_bytes')),
    readNumber(path.join(folder, 'memory.usage_in_bytes')),
    readText(path.join(folder, 'memory.stat')),
  ]);
  return toLimit(max ?? Infinity, current, stat, 'total_');
}

function toLimit(
  totalBytes: number,
  current: number | null,
  stat: string | null,
  prefix: string,
): Limit | null {
  if (totalBytes >= NO_LIMIT_BYTES) return null;
  // Pages of files count as used, but the kernel gives them up before it kills anyone.
  const files = ['inactive_file', 'active_file'].reduce((sum, name) => {
    const match = new RegExp(`^${prefix}${name} (\\d+)$`, 'm').exec(stat ?? '');
    return sum + Number(match?.[1] ?? 0);
  }, 0);
  const used = Math.max(0, (current ?? 0) - files);
  return { totalBytes, availableBytes: totalBytes - used };
}

/** `null` for `max`, for a file that is not there, and for anything that is no number. */
async function readNumber(file: string): Promise<number | null> {
  const text = (await readText(file))?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
