import os from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../servers/types.ts';
import { probeMachine } from './index.ts';
import { kernelFiles } from './testing.ts';

const GIB = 1024 ** 3;
const MEMINFO = [
  `MemTotal:       ${32 * 1024 ** 2} kB`,
  `MemFree:         ${4 * 1024 ** 2} kB`,
  `MemAvailable:   ${20 * 1024 ** 2} kB`,
  `Cached:         ${16 * 1024 ** 2} kB`,
  '',
].join('\n');
/** Mounts of a system with version 2 alone, and of one with version 1 beside an empty version 2. */
const V2 = '28 22 0:24 / /cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n';
const V1 = [
  '35 31 0:32 / /cgroup/memory rw,relatime - cgroup cgroup rw,memory',
  '36 31 0:33 / /cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
  '41 31 0:38 / /cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
  '',
].join('\n');

function probe(files: Record<string, string>): Promise<Machine> {
  return probeMachine({ env: {}, programFolders: [], places: kernelFiles(files) });
}

const v2 = (files: Record<string, string>, group = '/a/b'): Promise<Machine> =>
  probe({
    'proc/meminfo': MEMINFO,
    'proc/self/cgroup': `0::${group}\n`,
    'proc/self/mountinfo': V2,
    ...files,
  });

const v1 = (files: Record<string, string>, mounts = V1): Promise<Machine> =>
  probe({
    'proc/meminfo': MEMINFO,
    'proc/self/cgroup': '9:name=systemd:/\n4:memory:/docker/x\n2:cpu,cpuacct:/docker/x\n0::/\n',
    'proc/self/mountinfo': mounts,
    ...files,
  });

describe('memory of the machine', () => {
  it('is what the kernel calls available', async () => {
    const { memory } = await probe({ 'proc/meminfo': MEMINFO });
    expect(memory).toEqual({ totalBytes: 32 * GIB, availableBytes: 20 * GIB });
  });

  it('on an old kernel is free memory and the pages of files', async () => {
    const old = MEMINFO.replace(/MemAvailable.*\n/, '');
    const { memory } = await probe({ 'proc/meminfo': old });
    expect(memory).toEqual({ totalBytes: 32 * GIB, availableBytes: 20 * GIB });
  });

  it('comes from the system where there is no /proc', async () => {
    const { memory } = await probe({});
    expect(memory.totalBytes).toBe(os.totalmem());
    expect(memory.availableBytes).toBeGreaterThan(0);
  });

  it('of this very machine is plausible', async () => {
    const { memory, cores } = await probeMachine({ env: {}, programFolders: [] });
    expect(memory.totalBytes).toBeLessThanOrEqual(os.totalmem());
    expect(memory.availableBytes).toBeGreaterThan(0);
    expect(memory.availableBytes).toBeLessThanOrEqual(memory.totalBytes);
    expect(cores).toBeLessThanOrEqual(os.availableParallelism());
  });
});

describe('limits of control groups', () => {
  it('version 2: the limit less what is used, pages of files not counted', async () => {
    const { memory } = await v2({
      'cgroup/a/b/memory.max': `${8 * GIB}\n`,
      'cgroup/a/b/memory.high': 'max\n',
      'cgroup/a/b/memory.current': `${5 * GIB}\n`,
      'cgroup/a/b/memory.stat': `anon 1\ninactive_file ${2 * GIB}\nactive_file ${GIB}\n`,
    });
    expect(memory).toEqual({ totalBytes: 8 * GIB, availableBytes: 6 * GIB });
  });

  it('version 2: memory.high slows down before memory.max kills', async () => {
    const { memory } = await v2({
      'cgroup/a/b/memory.max': `${8 * GIB}\n`,
      'cgroup/a/b/memory.high': `${6 * GIB}\n`,
      'cgroup/a/b/memory.current': `${GIB}\n`,
    });
    expect(memory).toEqual({ totalBytes: 6 * GIB, availableBytes: 5 * GIB });
  });

  it('version 2: a group further up may be the narrow one', async () => {
    const { memory } = await v2({
      'cgroup/a/b/memory.max': 'max\n',
      'cgroup/a/memory.max': `${4 * GIB}\n`,
      'cgroup/a/memory.current': `${GIB}\n`,
    });
    expect(memory).toEqual({ totalBytes: 4 * GIB, availableBytes: 3 * GIB });
  });

  it('a container sees its own group as the root', async () => {
    const files = { 'cgroup/memory.max': `${2 * GIB}\n`, 'cgroup/memory.current': '0\n' };
    expect((await v2(files, '/')).memory).toEqual({
      totalBytes: 2 * GIB,
      availableBytes: 2 * GIB,
    });
    // The view of a namespace made elsewhere.
    expect((await v2(files, '/../../x')).memory.totalBytes).toBe(2 * GIB);
  });

  it('version 1, also beside an empty version 2', async () => {
    const { memory } = await v1({
      'cgroup/memory/docker/x/memory.limit_in_bytes': `${8 * GIB}\n`,
      'cgroup/memory/docker/x/memory.usage_in_bytes': `${3 * GIB}\n`,
      'cgroup/memory/docker/x/memory.stat': `inactive_file 5\ntotal_inactive_file ${GIB}\ntotal_active_file 0\n`,
      'cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    });
    expect(memory).toEqual({ totalBytes: 8 * GIB, availableBytes: 6 * GIB });
  });

  it('version 1 in a container: the path is that of the host, the mount its own part of it', async () => {
    const mounts = V1.replace('0:32 / /cgroup/memory', '0:32 /docker/x /cgroup/memory');
    const { memory } = await v1(
      {
        'cgroup/memory/memory.limit_in_bytes': `${3 * GIB}\n`,
        'cgroup/memory/memory.usage_in_bytes': '0\n',
      },
      mounts,
    );
    expect(memory.totalBytes).toBe(3 * GIB);
  });

  it('a limit above the memory of the machine changes nothing', async () => {
    const { memory } = await v2({
      'cgroup/a/b/memory.max': `${64 * GIB}\n`,
      'cgroup/a/b/memory.current': '0\n',
    });
    expect(memory).toEqual({ totalBytes: 32 * GIB, availableBytes: 20 * GIB });
  });

  it('a group that is over its limit has nothing left, not less', async () => {
    const { memory } = await v2({
      'cgroup/a/b/memory.max': `${GIB}\n`,
      'cgroup/a/b/memory.current': `${2 * GIB}\n`,
    });
    expect(memory.availableBytes).toBe(0);
  });
});

describe('cores', () => {
  const status = (mask: string): Record<string, string> => ({
    'proc/self/status': `Name:\tx\nCpus_allowed:\t${mask}\nCpus_allowed_list:\t0\n`,
  });

  it('are those of the affinity', async () => {
    expect((await probe(status('f'))).cores).toBe(4);
    expect((await probe(status('00000000,00000000,0000ffff,ff000000'))).cores).toBe(24);
  });

  it.each([
    ['250000 100000', 2],
    ['max 100000', 8],
    ['50000 100000', 1],
    ['1600000 100000', 8],
  ])('version 2 quota %s of 8 cores leaves %i', async (quota, cores) => {
    expect((await v2({ ...status('ff'), 'cgroup/a/cpu.max': `${quota}\n` })).cores).toBe(cores);
  });

  it.each([
    ['300000', 3],
    ['-1', 8],
  ])('version 1 quota %s of 8 cores leaves %i', async (quota, cores) => {
    const machine = await v1({
      ...status('ff'),
      'cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us': `${quota}\n`,
      'cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us': '100000\n',
    });
    expect(machine.cores).toBe(cores);
  });
});

describe('matrix units', () => {
  it.each([
    ['flags\t\t: fpu avx512f amx_bf16 amx_tile amx_int8\n', true],
    ['flags\t\t: fpu avx512f avx512_bf16\n', undefined],
    ['model name\t: amx_int8\n', undefined],
  ])('are those that llama.cpp uses: %j', async (cpuinfo, amx) => {
    expect((await probe({ 'proc/meminfo': MEMINFO, 'proc/cpuinfo': cpuinfo })).amx).toBe(amx);
  });
});
