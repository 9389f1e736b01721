import type { DoctorRow } from '../contract/index.ts';
import { formatSize } from '../lib/index.ts';
import type { Survey, SurveyedEngine } from '../models/index.ts';

/** Below this no useful model fits beside a workspace. */
const LOW_MEMORY_BYTES = 6 * 2 ** 30;

/** Rows about memory, devices, engines and the files of models. */
export function modelRows({ machine, engines, incomplete }: Survey): DoctorRow[] {
  return [
    memoryRow(machine.memory),
    ...gpuRows(machine),
    ...engines.map(engineRow),
    ...incomplete.map(({ name, missing }) => ({
      name: `model ${name}`,
      state: 'missing' as const,
      found: `${missing.length} of its files are not as they were: ${missing.slice(0, 3).join(', ')}`,
      remedy: `Bring the files back, or remove it: \`vivarium models remove ${name}\`.`,
      required: false,
    })),
  ];
}

/** `MemAvailable` is what the kernel says can be used without swapping. */
function memoryRow({ totalBytes, availableBytes }: Survey['machine']['memory']): DoctorRow {
  const low = availableBytes < LOW_MEMORY_BYTES;
  return {
    name: 'memory',
    state: low ? 'warning' : 'ok',
    found: `${formatSize(availableBytes)} of ${formatSize(totalBytes)} available`,
    remedy: low ? 'Lower --memory, or use a smaller model.' : null,
    required: true,
  };
}

function gpuRows({ gpus, gpuFault }: Survey['machine']): DoctorRow[] {
  const rows: DoctorRow[] = gpus.map(({ index, name, totalBytes, freeBytes, driver }) => ({
    name: `gpu ${index}`,
    state: 'ok',
    found: `${name}, ${sizeOf(freeBytes)} of ${sizeOf(totalBytes)} free, driver ${driver ?? '?'}`,
    remedy: null,
    required: false,
  }));
  if (gpuFault !== null) {
    rows.push({
      name: 'gpu',
      state: 'warning',
      found: gpuFault,
      remedy: 'Repair the driver; until then models run on the CPU.',
      required: false,
    });
  }
  if (rows.length > 0) return rows;
  return [
    {
      name: 'gpu',
      state: 'warning',
      found: 'no NVIDIA GPU found',
      remedy: 'Without one, models run on the CPU: slower, but everything works.',
      required: false,
    },
  ];
}

const sizeOf = (bytes: number | null): string => (bytes === null ? '?' : formatSize(bytes));

/** One that a profile names has to be there for that model; one in its usual place need not. */
function engineRow({ engine, models, found, problem }: SurveyedEngine): DoctorRow {
  const whose = models.length === 0 ? '' : ` (of ${models.join(', ')})`;
  if (problem === null) {
    return {
      ...{ name: `engine ${engine}${whose}`, state: 'ok', found: found ?? engine },
      ...{ remedy: null, required: false },
    };
  }
  return {
    name: `engine ${engine}${whose}`,
    state: models.length === 0 ? 'missing' : 'warning',
    found: problem.message,
    remedy: problem.next,
    required: false,
  };
}
