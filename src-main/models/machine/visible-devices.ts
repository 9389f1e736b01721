import type { Gpu } from '../servers/types.ts';

/**
 * Applies `CUDA_VISIBLE_DEVICES` as the driver does: a list of numbers or of beginnings of UUIDs;
 * an entry that names nothing hides itself and all that follow; empty hides all.
 *
 * Numbers are taken in the order of nvidia-smi (that of the bus). The driver by itself counts the
 * fastest first, so where unlike devices are mixed only UUIDs are certain.
 *
 * @returns the devices left, and one sentence when devices are there but all of them are hidden.
 */
export function visibleDevices(
  devices: readonly Gpu[],
  wanted: string | undefined,
): { gpus: Gpu[]; hidden: string | null } {
  if (wanted === undefined || devices.length === 0) return { gpus: [...devices], hidden: null };
  const gpus: Gpu[] = [];
  for (const entry of wanted.split(',').map((text) => text.trim())) {
    const found = /^\d+$/.test(entry)
      ? devices.find(({ index }) => index === Number(entry))
      : devices.find(({ uuid }) => entry.startsWith('GPU-') && uuid.startsWith(entry));
    if (found === undefined || gpus.includes(found)) break;
    gpus.push(found);
  }
  const hidden =
    gpus.length > 0
      ? null
      : `CUDA_VISIBLE_DEVICES=${JSON.stringify(wanted)} hides all ${devices.length} GPUs.`;
  return { gpus, hidden };
}
