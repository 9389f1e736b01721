import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { visibleLine } from '../../lib/index.ts';
import type { Machine } from '../servers/types.ts';
import { FIELDS, parseDevices } from './nvidia-output.ts';
import { type Places, readText } from './places.ts';
import { visibleDevices } from './visible-devices.ts';

export interface NvidiaOptions {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  places: Places;
  programFolders?: readonly string[];
  timeoutMs?: number;
}

type Graphics = Pick<Machine, 'gpus' | 'gpuFault'>;

/** A driver that must wake its devices first needs some seconds; one that hangs needs for ever. */
const TIMEOUT_MS = 8_000;
const MAX_OUTPUT_BYTES = 1024 ** 2;
/** Where distributions and WSL put it, for a PATH that was cut down. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/usr/lib/wsl/lib', '/run/current-system/sw/bin'];
/** Outputs of a driver that has no device to show, which is nothing odd. */
const NONE = /^No devices were found/m;

/** NVIDIA devices, from one call of nvidia-smi. */
export async function probeNvidia(options: NvidiaOptions): Promise<Graphics> {
  const program = await findProgram(options);
  if (program === null) return { gpus: [], gpuFault: await driverWithoutProgram(options.places) };
  const ran = await query(program, options);
  options.signal?.throwIfAborted();
  if (ran === null) {
    const seconds = (options.timeoutMs ?? TIMEOUT_MS) / 1000;
    return fault(
      `nvidia-smi gave no answer within ${seconds} s: the driver hangs. Restart the machine.`,
    );
  }
  const { devices, faults } = parseDevices(ran.output);
  if (devices.length === 0 && NONE.test(ran.output)) {
    return fault('The NVIDIA driver runs but finds no device.');
  }
  if (devices.length === 0 && faults.length === 0) return fault(describeFailure(ran));
  const { gpus, hidden } = visibleDevices(devices, options.env['CUDA_VISIBLE_DEVICES']);
  const odd = [...faults, ...(hidden === null ? [] : [hidden])];
  return { gpus, gpuFault: odd.length === 0 ? null : odd.join(' ') };
}

function fault(gpuFault: string): Graphics {
  return { gpus: [], gpuFault };
}

async function findProgram(options: NvidiaOptions): Promise<string | null> {
  const name = process.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi';
  const onPath = (options.env['PATH'] ?? '').split(path.delimiter);
  for (const folder of [...onPath, ...(options.programFolders ?? FOLDERS)]) {
    // A relative entry of PATH would run what lies in the current folder.
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Looked for in the next folder.
    }
  }
  return null;
}

async function driverWithoutProgram(places: Places): Promise<string | null> {
  const version = await readText(path.join(places.proc, 'driver/nvidia/version'));
  if (version === null) return null;
  return 'The NVIDIA driver is loaded, but nvidia-smi was not found: install the utilities of the driver.';
}

interface Ran {
  output: string;
  exitCode: number | null;
}

/** `null` when it did not end in time. */
async function query(program: string, options: NvidiaOptions): Promise<Ran | null> {
  const timeout = options.timeoutMs ?? TIMEOUT_MS;
  const giveUp = new AbortController();
  const child = execa(
    program,
    [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader,nounits'],
    {
      all: true,
      reject: false,
      stdin: 'ignore',
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      extendEnv: false,
      env: {
        PATH: options.env['PATH'] ?? '',
        LC_ALL: 'C',
        SystemRoot: options.env['SystemRoot'] ?? '',
      },
      ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
    },
  );
  const ended = child.then((result) =>
    result.timedOut ? null : { output: result.all, exitCode: result.exitCode ?? null },
  );
  // A process stuck in the driver survives SIGKILL; then we leave it to itself.
  const stuck = sleep(timeout + 1_000, null, { signal: giveUp.signal }).catch(() => null);
  try {
    return await Promise.race([ended, stuck]);
  } finally {
    giveUp.abort();
  }
}

/** Texts of nvidia-smi with what to do; the rest is shown as it is. */
const REMEDIES: readonly [RegExp, string][] = [
  [
    /Driver\/library version mismatch/,
    'the driver was updated while the old one is still loaded. Restart the machine.',
  ],
  [
    /couldn't communicate with the NVIDIA driver/,
    'the kernel module of the driver is not loaded. Load it, or install the driver again for this kernel.',
  ],
  [/GPU is lost|fallen off the bus/i, 'the device no longer answers. Restart the machine.'],
  [
    /Insufficient Permissions/,
    'this user may not use the device. Add the user to the group that owns /dev/nvidia*.',
  ],
];

function describeFailure({ output, exitCode }: Ran): string {
  const first = visibleLine(output.trim().split('\n')[0] ?? '').slice(0, 200);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const said = first === '' ? `nvidia-smi ended with code ${exitCode ?? '?'}` : first;
  return remedy === undefined ? `The NVIDIA driver does not answer: ${said}` : `${said}: ${remedy}`;
}
