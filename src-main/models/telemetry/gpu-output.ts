import { visibleLine } from '../../lib/index.ts';

/** Columns of the query about devices, in this order (`nvidia-smi --help-query-gpu`). */
export const DEVICE_FIELDS = [
  'index',
  'uuid',
  'name',
  'memory.used',
  'memory.free',
  'utilization.gpu',
  'temperature.gpu',
  'power.draw',
] as const;

/** Columns of the query about processes (`nvidia-smi --help-query-compute-apps`). */
export const PROCESS_FIELDS = ['gpu_uuid', 'pid', 'used_memory'] as const;

const MIB = 1024 ** 2;

/** Figures of a device; `null` where the driver does not say. */
export interface DeviceLine {
  index: number;
  uuid: string;
  name: string;
  usedBytes: number | null;
  freeBytes: number | null;
  /** 0 to 1, over the driver's last sample period. */
  utilization: number | null;
  celsius: number | null;
  watts: number | null;
  /** The driver lists it but cannot reach it any more. */
  lost: boolean;
}

export interface ProcessLine {
  gpu: string;
  pid: number;
  /** `null` where the driver does not say. */
  bytes: number | null;
}

/** What one line of nvidia-smi's CSV means; anything else that it prints is a message to people. */
export type GpuLine =
  | { kind: 'device'; device: DeviceLine }
  | { kind: 'process'; process: ProcessLine }
  | { kind: 'message'; text: string };

const LOST = /GPU is lost|Unknown Error|ERR!|requires reset/i;

/** Reads a line of one of the two queries; `null` for blank lines and for parts of a line. */
export function readGpuLine(line: string): GpuLine | null {
  const cells = line.split(',').map((cell) => cell.trim());
  const [first = '', second = '', third = ''] = cells;
  if (isUuid(second) && /^\d+$/.test(first)) {
    return cells.length < DEVICE_FIELDS.length ? null : { kind: 'device', device: deviceOf(cells) };
  }
  if (isUuid(first)) {
    if (cells.length !== PROCESS_FIELDS.length || !/^\d+$/.test(second) || third === '')
      return null;
    return {
      kind: 'process',
      process: { gpu: first, pid: Number(second), bytes: mebibytes(third) },
    };
  }
  const text = visibleLine(line).trim().slice(0, 200);
  // What is left of a line that was cut has no word in it.
  return /[A-Za-z]{3} [A-Za-z]/.test(text) ? { kind: 'message', text } : null;
}

function isUuid(cell: string): boolean {
  return /^(GPU|MIG)-[\w/-]{8,}$/.test(cell);
}

function deviceOf(cells: readonly string[]): DeviceLine {
  const [index = '', uuid = ''] = cells;
  // A name may hold commas: it is what lies between the two before and the five after.
  const name = cells.slice(2, -5).join(', ');
  const [used = '', free = '', utilization = '', celsius = '', watts = ''] = cells.slice(-5);
  const usedBytes = mebibytes(used);
  const freeBytes = mebibytes(free);
  // A device that shares the machine's memory reports zeros: that is not known either.
  const hasOwn = (usedBytes ?? 0) + (freeBytes ?? 0) > 0;
  const percent = number(utilization);
  return {
    index: Number(index),
    uuid,
    name: visibleLine(name),
    usedBytes: hasOwn ? usedBytes : null,
    freeBytes: hasOwn ? freeBytes : null,
    utilization: percent === null ? null : percent / 100,
    celsius: number(celsius),
    watts: number(watts),
    lost: cells.slice(-5).some((cell) => LOST.test(cell)),
  };
}

/** `[N/A]`, `[Not Supported]`, `N/A`, `ERR!`: not known. A unit is passed over. */
function number(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(?: (?:MiB|%|W|C))?$/.exec(text);
  return match === null ? null : Number(match[1]);
}

function mebibytes(text: string): number | null {
  const value = number(text);
  return value === null ? null : value * MIB;
}
