import { statfs } from 'node:fs/promises';
import type { Engine } from './engine.ts';
import { createFailure } from './failures.ts';

/** What the engine says of itself; for `vivarium doctor`, limits and the attestation. */
export interface EngineFacts {
  version: string;
  apiVersion: string;
  /** `1` or `2`. */
  cgroupVersion: string;
  memoryLimit: boolean;
  swapLimit: boolean;
  pidsLimit: boolean;
  cpuLimit: boolean;
  /** The engine runs without root: limits need cgroup delegation. */
  rootless: boolean;
  userNamespaces: boolean;
  seccomp: boolean;
  securityOptions: string[];
  defaultRuntime: string;
  runtimes: string[];
  storageDriver: string;
  cpus: number;
  memoryBytes: number;
  kernel: string;
  operatingSystem: string;
  /** Free bytes where the engine keeps its data; `null` when that folder is not on this machine. */
  freeDiskBytes: number | null;
}

/** Members of `/info` that the client's types lack. */
interface MoreInfo {
  CgroupVersion?: string;
  CgroupDriver?: string;
}

/** @throws VivariumError `docker_failed` */
export async function probeEngine(engine: Engine): Promise<EngineFacts> {
  try {
    const [info, version] = await Promise.all([engine.docker.info(), engine.docker.version()]);
    const security: string[] = info.SecurityOptions ?? [];
    const has = (name: string) => security.some((option) => option.includes(`name=${name}`));
    const more: MoreInfo = info;
    return {
      version: version.Version,
      apiVersion: version.ApiVersion,
      cgroupVersion: more.CgroupVersion ?? '1',
      memoryLimit: info.MemoryLimit === true,
      swapLimit: info.SwapLimit === true,
      pidsLimit: info.PidsLimit === true,
      cpuLimit: info.CpuCfsQuota === true,
      rootless: has('rootless'),
      userNamespaces: has('userns'),
      seccomp: has('seccomp'),
      securityOptions: security,
      defaultRuntime: info.DefaultRuntime,
      runtimes: Object.keys(info.Runtimes ?? {}),
      storageDriver: info.Driver,
      cpus: info.NCPU,
      memoryBytes: info.MemTotal,
      kernel: info.KernelVersion,
      operatingSystem: info.OperatingSystem,
      freeDiskBytes: await freeDisk(info.DockerRootDir),
    };
  } catch (error) {
    throw createFailure(error, { image: '' });
  }
}

async function freeDisk(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
