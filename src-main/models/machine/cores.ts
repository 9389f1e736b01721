import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findGroups } from './cgroup.ts';
import { type Places, readText } from './places.ts';

/** Cores this process may use: affinity, and what the control groups grant; at least 1. */
export async function readCores(places: Places): Promise<number> {
  const allowed = (await allowedCores(places)) ?? availableParallelism();
  const quotas = await groupQuotas(places);
  // Half a core more does not carry another thread.
  return Math.max(1, Math.floor(Math.min(allowed, ...quotas)));
}

/** `Cpus_allowed` is a mask of hexadecimal digits, in groups of 32 bits. */
async function allowedCores(places: Places): Promise<number | null> {
  const text = await readText(path.join(places.proc, 'self/status'));
  const mask = /^Cpus_allowed:\s+([0-9a-f,]+)$/im.exec(text ?? '')?.[1];
  if (mask === undefined) return null;
  const digits = mask.replaceAll(',', '');
  const count = BigInt(`0x${digits}`).toString(2).replaceAll('0', '').length;
  return count === 0 ? null : count;
}

async function groupQuotas(places: Places): Promise<number[]> {
  const groups = await findGroups('cpu', places);
  if (groups === null) return [];
  const read = groups.version === 2 ? quotaOfV2 : quotaOfV1;
  const quotas = await Promise.all(groups.folders.map(read));
  return quotas.filter((quota) => quota !== null);
}

/** `max 100000` or `QUOTA PERIOD`, in microseconds. */
async function quotaOfV2(folder: string): Promise<number | null> {
  const [quota, period] = (await readText(path.join(folder, 'cpu.max')))?.trim().split(' ') ?? [];
  return ratio(quota, period);
}

async function quotaOfV1(folder: string): Promise<number | null> {
  const [quota, period] = await Promise.all(
    ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => readText(path.join(folder, name))),
  );
  // -1 = no quota.
  return ratio(quota?.trim(), period?.trim());
}

function ratio(quota: string | undefined, period: string | undefined): number | null {
  const share = Number(quota) / Number(period);
  return Number.isFinite(share) && share > 0 ? share : null;
}
