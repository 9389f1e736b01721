import { createEnergyMeter, openPowercap, summedPower } from '../../evaluation/index.ts';
import type { EnergyMeter } from '../../evaluation/index.ts';
import { watchGpus } from '../../models/index.ts';

/**
 * Processors and NVIDIA GPUs of this machine, whoever uses them; `null` where neither tells. Disks,
 * fans and losses of the power supply are not in it.
 */
export async function openEnergy(
  env: Readonly<Record<string, string | undefined>>,
): Promise<EnergyMeter | null> {
  const [processors, gpus] = await Promise.all([openPowercap(), watchGpus({ env })]);
  const power =
    gpus &&
    summedPower(
      () => gpus.devices().map(({ uuid, watts }) => ({ key: uuid, watts })),
      () => gpus.stop(),
    );
  const sources = [processors, power].filter((source) => source !== null);
  return sources.length === 0 ? null : createEnergyMeter(sources);
}
