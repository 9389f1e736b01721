import { findProgram, pathFolders } from '../engines/shared/find-program.ts';
import { DEVICE_FIELDS, PROCESS_FIELDS, type DeviceLine } from './gpu-output.ts';
import { createGpuState } from './gpu-state.ts';
import { startLongQuery } from './long-query.ts';

export interface WatchGpusOptions {
  /** PATH is where nvidia-smi is looked for. */
  env: Readonly<Record<string, string | undefined>>;
  /** Between two looks at the devices; default 1000. */
  intervalMs?: number;
  /** Between two looks at the processes, whose memory rarely changes; default 5000. */
  processIntervalMs?: number;
  /** Waits before restarts of a dead nvidia-smi; for tests. */
  restartAfterMs?: readonly number[];
}

/** NVIDIA devices as nvidia-smi shows them; all methods answer at once from what was read last. */
export interface GpuWatch {
  /** By index; empty before the first look and when no device answers. */
  devices(): DeviceLine[];
  /**
   * Memory the driver books for these processes, on all devices. `null` where it books none for them
   * or does not say, as in a container, which shows pids of the host.
   */
  bytesOf(pids: readonly number[]): number | null;
  /** Mean utilization, 0 to 1, of the devices these processes have memory on, whoever uses them. */
  utilizationOf(pids: readonly number[]): number | null;
  /** What a person should know: a device that was there and is lost. `null` when all is well. */
  alert(): string | null;
  /** Ends nvidia-smi; it also ends when this process does, however that ends. */
  stop(): Promise<void>;
}

/** Where distributions and WSL put it, for a PATH that was cut down. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/usr/lib/wsl/lib', '/run/current-system/sw/bin'];
/** Looks that may be missed before what was read last counts as gone. */
const MISSED_LOOKS = 3;
/** A busy driver may take seconds for a look; a device that takes longer does not answer. */
const SILENCE_MS = 10_000;
/** A driver that is not kept loaded takes long for the first look; after this nvidia-smi hangs. */
const HUNG_MS = 60_000;

/**
 * Starts two long-lived nvidia-smi, for devices and for processes (one call cannot ask for both, and a
 * new one each second would open the driver each time). Returns `null` where there is no nvidia-smi.
 */
export async function watchGpus(options: WatchGpusOptions): Promise<GpuWatch | null> {
  // Not supported there yet: it needs another way to end with us.
  if (process.platform === 'win32') return null;
  const { file } = await findProgram('nvidia-smi', [...pathFolders(options.env), ...FOLDERS]);
  return file === null ? null : watchWith(file, options);
}

function watchWith(program: string, options: WatchGpusOptions): GpuWatch {
  const intervalMs = options.intervalMs ?? 1000;
  const processIntervalMs = options.processIntervalMs ?? 5000;
  const deviceMs = Math.max(MISSED_LOOKS * intervalMs, SILENCE_MS);
  const processMs = MISSED_LOOKS * processIntervalMs;
  const { take, ...state } = createGpuState({ deviceMs, processMs, now: () => performance.now() });
  const query = (what: string, everyMs: number, silenceMs?: number) =>
    startLongQuery({
      program,
      args: [what, '--format=csv,noheader,nounits', `--loop-ms=${everyMs}`],
      env: { PATH: options.env['PATH'] ?? '', LC_ALL: 'C' },
      onLine: take,
      ...(options.restartAfterMs !== undefined && { restartAfterMs: options.restartAfterMs }),
      ...(silenceMs !== undefined && { silenceMs }),
    });
  const queries = [
    query(`--query-gpu=${DEVICE_FIELDS.join(',')}`, intervalMs, HUNG_MS),
    // Silent as long as no process uses a device.
    query(`--query-compute-apps=${PROCESS_FIELDS.join(',')}`, processIntervalMs),
  ];
  return {
    ...state,
    stop: async () => {
      await Promise.all(queries.map((each) => each.stop()));
    },
  };
}
