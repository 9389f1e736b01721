import { readGpuLine, type DeviceLine, type ProcessLine } from './gpu-output.ts';

/** What is known of the devices from the lines read so far. */
export interface GpuState {
  take(line: string): void;
  /** By index; those that answer. */
  devices(): DeviceLine[];
  bytesOf(pids: readonly number[]): number | null;
  utilizationOf(pids: readonly number[]): number | null;
  alert(): string | null;
}

export interface GpuStateOptions {
  /** A device that was not read for this long no longer answers. */
  deviceMs: number;
  /** A process that was not read for this long is gone. */
  processMs: number;
  /** Milliseconds of a clock that stands still while the machine sleeps. */
  now: () => number;
}

interface Seen<T> {
  value: T;
  at: number;
}

export function createGpuState({ deviceMs, processMs, now }: GpuStateOptions): GpuState {
  const devices = new Map<string, Seen<DeviceLine>>();
  const processes = new Map<string, Seen<ProcessLine>>();
  let message: string | null = null;

  const answers = ({ value, at }: Seen<DeviceLine>): boolean =>
    now() - at < deviceMs && !value.lost;
  const current = (): DeviceLine[] => [...devices.values()].filter(answers).map(valueOf);
  const booked = (pids: readonly number[]): ProcessLine[] => {
    for (const [key, { at }] of processes) if (now() - at > processMs) processes.delete(key);
    return [...processes.values()].map(valueOf).filter(({ pid }) => pids.includes(pid));
  };
  return {
    take(line) {
      const read = readGpuLine(line);
      const at = now();
      if (read?.kind === 'device') {
        devices.set(read.device.uuid, { value: read.device, at });
        if (!read.device.lost) message = null;
      } else if (read?.kind === 'process') {
        const { gpu, pid } = read.process;
        processes.set(`${gpu} ${pid}`, { value: read.process, at });
      } else if (read !== null) {
        message = read.text;
      }
    },
    devices: () => current().toSorted((a, b) => a.index - b.index),
    bytesOf: (pids) => sum(booked(pids).map(({ bytes }) => bytes)),
    utilizationOf(pids) {
      const used = new Set(booked(pids).map(({ gpu }) => gpu));
      const shares = current()
        .filter(({ uuid }) => used.has(uuid))
        .map(({ utilization }) => utilization);
      const total = sum(shares);
      return total === null ? null : total / shares.length;
    },
    alert() {
      const lost = [...devices.values()].filter((seen) => !answers(seen)).map(valueOf);
      return lost.length === 0 ? null : lostText(lost, message);
    },
  };
}

function valueOf<T>({ value }: Seen<T>): T {
  return value;
}

/** `null` where there is none or one is not known: a part is no sum. */
function sum(values: readonly (number | null)[]): number | null {
  if (values.length === 0) return null;
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
}

function lostText(lost: readonly DeviceLine[], message: string | null): string {
  const names = lost.map(({ index, name }) => `GPU ${index} (${name})`).join(', ');
  const says = message === null ? '' : ` nvidia-smi says: ${message.replace(/[.\s]+$/, '')}.`;
  return (
    `${names} can no longer be read.${says} ` +
    'This happens after a suspend or a driver update: restart the machine, then the server.'
  );
}
