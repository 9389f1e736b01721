import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../servers/types.ts';
import { probeMachine } from './index.ts';
import { RECORDED, type Recorded } from './recorded-outputs.ts';
import { kernelFiles, standIn, temporaryFolder } from './testing.ts';

const MIB = 1024 ** 2;

function probe(
  recorded: Recorded,
  env: Record<string, string> = {},
): Promise<Pick<Machine, 'gpus' | 'gpuFault'>> {
  const folder = standIn(`cat "$(dirname "$0")/out"; exit ${recorded.exitCode}`);
  writeFileSync(path.join(folder, 'out'), recorded.stdout);
  return probeMachine({
    env: { PATH: `${folder}:/usr/bin:/bin`, ...env },
    places: kernelFiles({}),
  });
}

describe('devices that the driver shows', () => {
  it('reads name, sizes and driver', async () => {
    expect(await probe(RECORDED.oneCard)).toMatchObject({
      gpus: [
        {
          index: 0,
          uuid: 'GPU-5a1f0c1e-0000-4000-8000-000000000001',
          name: 'NVIDIA GeForce RTX 4090',
          totalBytes: 24_564 * MIB,
          freeBytes: 23_981 * MIB,
          vendor: 'nvidia',
          driver: '570.133.07',
        },
      ],
      gpuFault: null,
    });
  });

  it.each([
    ['1', [1]],
    ['1,0', [1, 0]],
    ['0,7,1', [0]],
    ['GPU-6b2f', [1]],
    ['0,0', [0]],
  ])('CUDA_VISIBLE_DEVICES=%s leaves %j', async (value, left) => {
    const { gpus, gpuFault } = await probe(RECORDED.twoCards, { CUDA_VISIBLE_DEVICES: value });
    expect(gpus.map(({ index }) => index)).toEqual(left);
    expect(gpuFault).toBeNull();
  });

  it.each(['', '-1', 'NoDevFiles', '2'])('CUDA_VISIBLE_DEVICES=%j hides all', async (value) => {
    expect(await probe(RECORDED.twoCards, { CUDA_VISIBLE_DEVICES: value })).toMatchObject({
      gpus: [],
      gpuFault: `CUDA_VISIBLE_DEVICES="${value}" hides all 2 GPUs.`,
    });
  });

  it.each(['unifiedMemory', 'notSupported'] as const)(
    'sizes that the driver does not tell are null (%s)',
    async (name) => {
      const { gpus, gpuFault } = await probe(RECORDED[name]);
      expect(gpus.length).toBeGreaterThan(0);
      for (const gpu of gpus) expect(gpu).toMatchObject({ totalBytes: null, freeBytes: null });
      expect(gpuFault).toBeNull();
    },
  );

  it('a full device has 0 bytes free, not an unknown number', async () => {
    const recorded = { ...RECORDED.oneCard, stdout: RECORDED.oneCard.stdout.replace('23981', '0') };
    expect((await probe(recorded)).gpus).toMatchObject([
      { totalBytes: 24_564 * MIB, freeBytes: 0 },
    ]);
  });
});

describe('devices that cannot be used', () => {
  it('a divided device is left out and named; the whole one stays', async () => {
    const { gpus, gpuFault } = await probe(RECORDED.divided);
    expect(gpus.map(({ index }) => index)).toEqual([1]);
    expect(gpuFault).toBe(
      'GPU 0 (NVIDIA A100-SXM4-40GB) is divided by MIG, which is not supported: turn MIG off.',
    );
  });

  it('a lost device is told, the others are used', async () => {
    const { gpus, gpuFault } = await probe(RECORDED.lostOne);
    expect(gpus.map(({ index }) => index)).toEqual([1]);
    expect(gpuFault).toBe('GPU 0000:01:00.0 no longer answers the driver: restart the machine.');
  });

  it.each([
    ['lostInRow', 'GPU 0 no longer answers the driver: restart the machine.'],
    [
      'mismatch',
      'Failed to initialize NVML: Driver/library version mismatch: the driver was updated while the old one is still loaded. Restart the machine.',
    ],
    ['noDevices', 'The NVIDIA driver runs but finds no device.'],
    ['unknownError', 'The NVIDIA driver does not answer: Failed to initialize NVML: Unknown Error'],
  ] as const)('%s', async (name, told) => {
    expect(await probe(RECORDED[name])).toMatchObject({ gpus: [], gpuFault: told });
  });

  it('a driver whose module is not loaded', async () => {
    const { gpus, gpuFault } = await probe(RECORDED.noModule);
    expect(gpus).toEqual([]);
    expect(gpuFault).toContain('the kernel module of the driver is not loaded');
  });

  it.each([
    ['nothing at all', '', 0],
    ['a crash', '', 139],
    ['an HTML page', '<html>, a, b, c, d, e, f</html>\n', 0],
    ['a field it does not know', 'Field "mig.mode.current" is not a valid field to query.\n', 2],
  ])('%s is a fault, not a device', async (_title, stdout, exitCode) => {
    const { gpus, gpuFault } = await probe({ source: 'made up', stdout, exitCode });
    expect(gpus).toEqual([]);
    expect(gpuFault).toMatch(/^The NVIDIA driver does not answer: /);
  });

  it('control characters of a device name do not come through', async () => {
    const stdout = RECORDED.oneCard.stdout.replace('RTX', '\u001b[31mRTX');
    const { gpus } = await probe({ ...RECORDED.oneCard, stdout });
    expect(gpus[0]?.name).not.toContain('\u001b');
  });
});

describe('the program', () => {
  it('no driver and no program is nothing odd', async () => {
    const machine = await probeMachine({
      env: { PATH: temporaryFolder() },
      places: kernelFiles({}),
      programFolders: [],
    });
    expect(machine).toMatchObject({ gpus: [], gpuFault: null });
  });

  it('a driver without the program is told', async () => {
    const machine = await probeMachine({
      env: {},
      places: kernelFiles({ 'proc/driver/nvidia/version': 'NVRM version: 570.133.07\n' }),
      programFolders: [],
    });
    expect(machine.gpuFault).toContain('nvidia-smi was not found');
  });

  it('is found in the usual folder when PATH does not name it', async () => {
    const folder = standIn(`echo '${RECORDED.oneCard.stdout.trim()}'`);
    const machine = await probeMachine({
      env: { PATH: 'relative:.' },
      places: kernelFiles({}),
      programFolders: [folder],
    });
    expect(machine.gpus).toHaveLength(1);
  });

  it('is asked once, with the columns that are read', async () => {
    const folder = standIn(
      'echo "$*" >> "$(dirname "$0")/calls"; echo No devices were found; exit 6',
    );
    await probeMachine({ env: { PATH: `${folder}:/usr/bin:/bin` }, places: kernelFiles({}) });
    expect(readFileSync(path.join(folder, 'calls'), 'utf8')).toBe(
      '--query-gpu=index,uuid,name,memory.total,memory.free,driver_version,mig.mode.current --format=csv,noheader,nounits\n',
    );
  });

  it('a hanging driver is given up, and the rest of the machine is told', async () => {
    const folder = standIn('exec sleep 600');
    const machine = await probeMachine({
      env: { PATH: `${folder}:/usr/bin:/bin` },
      places: kernelFiles({ 'proc/meminfo': 'MemTotal: 1024 kB\nMemAvailable: 512 kB\n' }),
      timeoutMs: 100,
    });
    expect(machine).toMatchObject({
      memory: { totalBytes: 1024 * 1024, availableBytes: 512 * 1024 },
      gpus: [],
      gpuFault: 'nvidia-smi gave no answer within 0.1 s: the driver hangs. Restart the machine.',
    });
  });

  it('an abort ends it at once with the reason of the signal', async () => {
    const folder = standIn('touch "$(dirname "$0")/started"; exec sleep 600');
    const stop = new AbortController();
    const reason = new Error('enough');
    const started = performance.now();
    const probing = probeMachine({
      env: { PATH: `${folder}:/usr/bin:/bin` },
      places: kernelFiles({}),
      signal: stop.signal,
    });
    stop.abort(reason);
    await expect(probing).rejects.toBe(reason);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
