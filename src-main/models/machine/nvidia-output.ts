import { visibleLine } from '../../lib/index.ts';
import type { Gpu } from '../servers/types.ts';

/** Columns that are asked for, in this order (`nvidia-smi --help-query-gpu`). */
export const FIELDS = [
  'index',
  'uuid',
  'name',
  'memory.total',
  'memory.free',
  'driver_version',
  'mig.mode.current',
] as const;

export interface Devices {
  devices: Gpu[];
  /** One sentence for each device that is there but cannot be used. */
  faults: string[];
}

const MIB = 1024 ** 2;

/** Reads the lines of a query as CSV without units; lines that are no row are passed over. */
export function parseDevices(output: string): Devices {
  const devices: Gpu[] = [];
  const faults: string[] = [];
  for (const line of output.split('\n')) {
    const lost = /^Unable to determine the device handle for (?:GPU|gpu) ?(\S+?):? /.exec(line);
    if (lost !== null) faults.push(lostDevice(lost[1] ?? '?'));
    const cells = line.split(',').map((cell) => cell.trim());
    if (cells.length !== FIELDS.length || !/^\d+$/.test(cells[0] ?? '')) continue;
    const read = readDevice(cells);
    if (typeof read === 'string') faults.push(read);
    else devices.push(read);
  }
  return { devices, faults };
}

function readDevice(cells: string[]): Gpu | string {
  const [index = '', uuid = '', name = '', total = '', free = '', driver = '', mig = ''] = cells;
  if (cells.some((cell) => /GPU is lost|Unknown Error|ERR!/i.test(cell))) return lostDevice(index);
  // Parts of a divided device have sizes of their own, which this query does not show.
  if (mig === 'Enabled') {
    return `GPU ${index} (${name}) is divided by MIG, which is not supported: turn MIG off.`;
  }
  const totalBytes = mebibytes(total);
  return {
    index: Number(index),
    uuid,
    name: visibleLine(name),
    totalBytes,
    freeBytes: totalBytes === null ? null : mebibytes(free, true),
    vendor: 'nvidia',
    driver: /^\d/.test(driver) ? driver : null,
  };
}

function lostDevice(which: string): string {
  return `GPU ${which} no longer answers the driver: restart the machine.`;
}

/** `[N/A]`, `[Not Supported]` and, for memory that is shared with the processor, 0: not known. */
function mebibytes(text: string, zeroIsKnown = false): number | null {
  if (!/^\d+$/.test(text)) return null;
  const bytes = Number(text) * MIB;
  return bytes === 0 && !zeroIsKnown ? null : bytes;
}
