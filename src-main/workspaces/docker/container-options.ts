import type Docker from 'dockerode';
import type { WorkspaceLimits } from '../types.ts';
import { AGENT_UID } from './tar.ts';

/** Where the repository lies in a workspace if nobody says otherwise, and the home of the agent's user. */
export const WORKSPACE_ROOT = '/workspace';
export const AGENT_HOME = '/home/agent';
export const AGENT_USER = `${AGENT_UID}:${AGENT_UID}`;
/** The main process belongs to another user, so that the agent's `kill -9 -1` cannot reach it. */
export const KEEPER_USER = '65534:65534';

const MIB = 1024 * 1024;
const SHM_BYTES = 64 * MIB;
/** Within what every engine may hand on; a higher hard limit needs a privilege it can lack. */
const NOFILE = 4_096;

export interface ContainerSpec {
  imageId: string;
  /** See {@link checkedRoot}. */
  root: string;
  limits: WorkspaceLimits;
  runtime?: string | undefined;
  /** Folders the image declares as volumes: they become small memory disks. */
  imageVolumes: readonly string[];
  labels: Record<string, string>;
}

/** Environment of every command. Editors fail at once instead of waiting for a person (B02). */
export const RUN_ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: AGENT_HOME,
  USER: 'agent',
  LOGNAME: 'agent',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_TERMINAL_PROMPT: '0',
};

/** Half of what the repository may use, at least 64 MiB: for /tmp and for the home folder. */
export function scratchBytes(limits: WorkspaceLimits): number {
  return Math.max(64 * MIB, Math.floor(limits.diskBytes / 2));
}

/**
 * The whole create request. `AutoRemove` and a main process that ends with its standard input make
 * the container and its anonymous volume vanish when the app dies, however it dies.
 */
export function containerOptions(spec: ContainerSpec): Docker.ContainerCreateOptions {
  return {
    Image: spec.imageId,
    Entrypoint: ['cat'],
    Cmd: [],
    User: KEEPER_USER,
    WorkingDir: '/',
    Env: Object.entries(RUN_ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
    Labels: spec.labels,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 0,
    HostConfig: hostConfig(spec),
  };
}

/** `CgroupnsMode` is missing from the types of the client. */
function hostConfig({
  root,
  limits,
  labels,
  runtime,
  imageVolumes,
}: ContainerSpec): Docker.HostConfig & { CgroupnsMode: string } {
  const scratch = scratchBytes(limits);
  return {
    AutoRemove: true,
    NetworkMode: 'none',
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    Privileged: false,
    ReadonlyRootfs: true,
    Init: true,
    IpcMode: 'private',
    CgroupnsMode: 'private',
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    NanoCpus: Math.round(limits.cpus * 1e9),
    PidsLimit: limits.pids,
    ShmSize: SHM_BYTES,
    Ulimits: [
      { Name: 'nofile', Soft: NOFILE, Hard: NOFILE },
      { Name: 'core', Soft: 0, Hard: 0 },
    ],
    LogConfig: { Type: 'none', Config: {} },
    Devices: [],
    RestartPolicy: { Name: 'no' },
    ...(runtime === undefined ? {} : { Runtime: runtime }),
    Tmpfs: {
      '/tmp': `rw,nosuid,nodev,exec,size=${scratch},mode=1777`,
      [AGENT_HOME]: `rw,nosuid,nodev,exec,size=${scratch},uid=${AGENT_UID},gid=${AGENT_UID},mode=0700`,
    },
    Mounts: [repositoryMount(root, limits, labels), ...imageVolumes.map(memoryMount)],
  };
}

function repositoryMount(
  root: string,
  limits: WorkspaceLimits,
  labels: Record<string, string>,
): Docker.MountSettings {
  const options = [
    `size=${limits.diskBytes}`,
    `nr_inodes=${limits.inodes}`,
    `uid=${AGENT_UID}`,
    `gid=${AGENT_UID}`,
    'mode=0755',
    'nosuid',
    'nodev',
  ];
  return {
    Type: 'volume',
    // No source: an anonymous volume, which the engine removes together with the container.
    Source: '',
    Target: root,
    VolumeOptions: {
      NoCopy: true,
      Labels: labels,
      DriverConfig: {
        Name: 'local',
        Options: { type: 'tmpfs', device: 'tmpfs', o: options.join(',') },
      },
    },
  };
}

/** Without this the engine would make a volume on its own disk, without any limit. */
function memoryMount(target: string): Docker.MountSettings {
  return {
    Type: 'tmpfs',
    Source: '',
    Target: target,
    TmpfsOptions: { SizeBytes: SHM_BYTES, Mode: 0o1777 },
  };
}
