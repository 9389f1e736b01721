import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive, processIdentity } from '../../lib/index.ts';
import { watchGpus, type GpuWatch } from './index.ts';

const GPU = 'GPU-8f9c5a4e-1111-2222-3333-444455556666';
const MIB = 1024 ** 2;
const UNTIL = { timeout: 10_000, interval: 10 };

let folder: string;
let watch: GpuWatch | null = null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-gpu-'));
});

afterEach(async () => {
  await watch?.stop();
  watch = null;
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Puts a stand-in for nvidia-smi on a PATH of its own. `$starts` is how often that query was started;
 * each start notes its process.
 */
function standIn(scripts: { devices: string; processes: string }) {
  const file = path.join(folder, 'nvidia-smi');
  const text = `#!/bin/sh
echo "$@" >> '${folder}/arguments'
case $1 in --query-gpu=*) kind=devices ;; *) kind=processes ;; esac
echo $$ >> "${folder}/$kind"
starts=$(wc -l < "${folder}/$kind")
if [ $kind = devices ]; then ${scripts.devices}
else ${scripts.processes}
fi
`;
  writeFileSync(file, text);
  chmodSync(file, 0o700);
  return { PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` };
}

function pidsOf(kind: 'devices' | 'processes'): number[] {
  try {
    return readFileSync(path.join(folder, kind), 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

const FOREVER = 'exec sleep 600';
const DEVICE = `0, ${GPU}, NVIDIA GeForce RTX 4090, 1234, 22830, 12, 45, 22.31`;

test('reads devices and processes from two programs that stay, whatever lies between the lines', async () => {
  const env = standIn({
    devices: `printf '\\n\\n${DEVICE}\\n\\n0, ${GPU}, NVIDIA Ge'; sleep 0.1; printf 'Force RTX 4090, 2000, 22064, 50, 46, 100.00\\r\\n'; ${FOREVER}`,
    processes: `printf '${GPU}, 4711, 20480\\n${GPU}, 4712, [N/A]\\n'; ${FOREVER}`,
  });
  watch = await watchGpus({ env });
  await vi.waitFor(() => {
    expect(watch?.devices()).toEqual([
      {
        index: 0,
        uuid: GPU,
        name: 'NVIDIA GeForce RTX 4090',
        usedBytes: 2000 * MIB,
        freeBytes: 22064 * MIB,
        utilization: 0.5,
        celsius: 46,
        watts: 100,
        lost: false,
      },
    ]);
    expect(watch?.bytesOf([4711])).toBe(20480 * MIB);
  }, UNTIL);
  expect(watch?.bytesOf([4711, 4712])).toBeNull();
  expect(watch?.utilizationOf([4711])).toBe(0.5);
  expect(watch?.alert()).toBeNull();
  const lines = readFileSync(path.join(folder, 'arguments'), 'utf8').trim().split('\n').toSorted();
  expect(lines).toEqual([
    '--query-compute-apps=gpu_uuid,pid,used_memory --format=csv,noheader,nounits --loop-ms=5000',
    '--query-gpu=index,uuid,name,memory.used,memory.free,utilization.gpu,temperature.gpu,power.draw ' +
      '--format=csv,noheader,nounits --loop-ms=1000',
  ]);
  const owners = [...pidsOf('devices'), ...pidsOf('processes')].map(processIdentity);
  await watch?.stop();
  expect(owners.map(isAlive)).toEqual([false, false]);
});

test('one that dies is started again, and what it said at its end is kept', async () => {
  const env = standIn({
    devices: `if [ $starts = 3 ]; then echo '${DEVICE}'; ${FOREVER}; else echo 'Failed to initialize NVML: Unknown Error'; exit 255; fi`,
    processes: FOREVER,
  });
  watch = await watchGpus({ env, restartAfterMs: [5, 10] });
  await vi.waitFor(() => expect(watch?.devices()).toHaveLength(1), UNTIL);
  expect(pidsOf('devices')).toHaveLength(3);
  expect(pidsOf('processes')).toHaveLength(1);
  expect(watch?.alert()).toBeNull();
});

test('it waits longer after each end, and is not started any more once stopped', async () => {
  const env = standIn({ devices: 'exit 9', processes: FOREVER });
  watch = await watchGpus({ env, restartAfterMs: [1, 600_000] });
  await vi.waitFor(() => expect(pidsOf('devices')).toHaveLength(2), UNTIL);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pidsOf('devices')).toHaveLength(2);
  await watch?.stop();
  await watch?.stop();
});

test('without nvidia-smi there is nothing to watch', async () => {
  expect(await watchGpus({ env: { PATH: folder } })).toBeNull();
  expect(await watchGpus({ env: {} })).toBeNull();
});

test('S01: it ends with us at kill -9, also where it has nothing to print', async () => {
  const env = standIn({ devices: FOREVER, processes: FOREVER });
  const script = fileURLToPath(new URL('./watch-gpus-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.once('exit', resolve));
  await vi.waitFor(
    () => expect([...pidsOf('devices'), ...pidsOf('processes')]).toHaveLength(2),
    UNTIL,
  );
  const programs = [...pidsOf('devices'), ...pidsOf('processes')].map(processIdentity);
  expect(programs.map(isAlive)).toEqual([true, true]);
  child.kill('SIGKILL');
  await closed;
  await vi.waitFor(() => expect(programs.map(isAlive)).toEqual([false, false]), {
    timeout: 5000,
    interval: 10,
  });
});

test('where its shell is killed, nothing is left and it is started again', async () => {
  const env = standIn({ devices: FOREVER, processes: FOREVER });
  watch = await watchGpus({ env, restartAfterMs: [1] });
  await vi.waitFor(() => expect(pidsOf('devices')).toHaveLength(1), UNTIL);
  const [pid = 0] = pidsOf('devices');
  const program = processIdentity(pid);
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  process.kill(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), 'SIGKILL');
  await vi.waitFor(() => {
    expect(isAlive(program)).toBe(false);
    expect(pidsOf('devices')).toHaveLength(2);
  }, UNTIL);
});
