import path from 'node:path';
import type { Machine } from '../servers/types.ts';
import { readCores } from './cores.ts';
import { readMemory } from './memory.ts';
import { probeNvidia } from './nvidia.ts';
import { type Places, readText, REAL_PLACES } from './places.ts';

export interface ProbeOptions {
  /** `PATH` is searched for nvidia-smi, and `CUDA_VISIBLE_DEVICES` hides devices. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  /** For tests: other folders than the kernel's own. */
  places?: Places;
  /** For tests: folders searched besides `PATH`. */
  programFolders?: readonly string[];
  /** For tests: how long nvidia-smi may take, in milliseconds. */
  timeoutMs?: number;
}

/**
 * What this machine has for a model server now: memory and cores as this process may use them
 * (control groups and affinity counted), and NVIDIA devices as the driver shows them. Takes some
 * milliseconds without a driver and never more than a few seconds with a broken one.
 *
 * @throws the signal's reason when aborted; nothing else: what cannot be learnt is told in the
 * result (`gpuFault`, `null` sizes).
 */
export async function probeMachine(options: ProbeOptions): Promise<Machine> {
  options.signal?.throwIfAborted();
  const places = options.places ?? REAL_PLACES;
  const [memory, cores, amx, graphics] = await Promise.all([
    readMemory(places),
    readCores(places),
    hasAmx(places),
    probeNvidia({ ...options, places }),
  ]);
  options.signal?.throwIfAborted();
  return { memory, cores, ...(amx && { amx }), ...graphics };
}

/** Matrix units for 8-bit numbers, which is what llama.cpp looks for. */
async function hasAmx({ proc }: Places): Promise<boolean> {
  const text = await readText(path.join(proc, 'cpuinfo'));
  return /^flags\s*:.*\bamx_int8\b/m.test(text ?? '');
}
