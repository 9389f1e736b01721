import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { EnergyCounter, EnergySource } from './energy-meter.ts';

/** Where Linux counts the energy of processors (kernel documentation, power/powercap). */
const POWERCAP = '/sys/class/powercap';
/** A package, or a part of one. The same counters stand a second time under `intel-rapl-mmio`. */
const ZONE = /^intel-rapl:\d+(:\d+)?$/;
/** Cores and graphics are parts of their package, and `psys` holds the packages; memory is apart. */
const COUNTED = /^(package-\d+|dram)/;

/**
 * Processors and their memory, by RAPL's counters (Intel and AMD). `null` where there are none or
 * this user may not read them: most kernels let only root.
 */
export async function openPowercap(folder = POWERCAP): Promise<EnergySource | null> {
  const names = await readdir(folder).catch(() => []);
  const zones = names.filter((name) => ZONE.test(name)).map((name) => path.join(folder, name));
  const counted: string[] = [];
  for (const zone of zones) {
    if (COUNTED.test((await textOf(zone, 'name')) ?? '')) counted.push(zone);
  }
  const read = async () => (await Promise.all(counted.map(counterOf))).flat();
  return (await read()).length === 0 ? null : { read, close: () => Promise.resolve() };
}

async function counterOf(zone: string): Promise<EnergyCounter[]> {
  const [now, range] = await Promise.all([
    microjoules(zone, 'energy_uj'),
    microjoules(zone, 'max_energy_range_uj'),
  ]);
  return now === null ? [] : [{ key: zone, joules: now, wrapsAt: range }];
}

/** In joules. */
async function microjoules(zone: string, file: string): Promise<number | null> {
  const text = await textOf(zone, file);
  return text !== null && /^\d+$/.test(text) ? Number(text) / 1e6 : null;
}

async function textOf(zone: string, file: string): Promise<string | null> {
  const text = await readFile(path.join(zone, file), 'latin1').catch(() => null);
  return text?.trim() ?? null;
}
