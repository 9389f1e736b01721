import type Docker from 'dockerode';
import type { WorkspaceLimits } from '../types.ts';
import { AGENT_UID } from './tar.ts';

/** Where the repository lies in a workspace if nobody says otherwise. */
export const WORKSPACE_ROOT = '/workspace';
/** Home of the agent's user where the image stays as it is: a memory disk. */
export const AGENT_HOME = '/home/agent';

/** Who commands run as. */
interface Identity {
  uid: number;
  name: string;
  home: string;
}

const AGENT: Identity = { uid: AGENT_UID, name: 'agent', home: AGENT_HOME };
/** What an image holds belongs to this one, which has no capability either. */
const IMAGE_OWNER: Identity = { uid: 0, name: 'root', home: '/root' };

export function identityOf(spec: Pick<ContainerSpec, 'writable'>): Identity {
  return spec.writable ? IMAGE_OWNER : AGENT;
}

/** The user of all commands, as the engine takes it. */
export function userOf(spec: Pick<ContainerSpec, 'writable'>): string {
  const { uid } = identityOf(spec);
  return `${uid}:${uid}`;
}

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
  /** See `OpenWorkspace.scratch`. */
  scratch: readonly string[];
  /** See `OpenWorkspace.rootfs`. */
  writable: boolean;
  limits: WorkspaceLimits;
  runtime?: string | undefined;
  /** Folders the image declares as volumes: they become small memory disks. */
  imageVolumes: readonly string[];
  labels: Record<string, string>;
}

/** Environment of every command. Editors fail at once instead of waiting for a person (B02). */
const RUN_ENVIRONMENT: Readonly<Record<string, string>> = {
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_TERMINAL_PROMPT: '0',
};

function environmentOf(spec: ContainerSpec): Record<string, string> {
  const { name, home } = identityOf(spec);
  return { HOME: home, USER: name, LOGNAME: name, ...RUN_ENVIRONMENT };
}

/** Half of what the repository may use, at least 64 MiB: for /tmp, the home and each scratch folder. */
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
    Env: Object.entries(environmentOf(spec)).map(([name, value]) => `${name}=${value}`),
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
function hostConfig(spec: ContainerSpec): Docker.HostConfig & { CgroupnsMode: string } {
  const { limits, runtime, writable } = spec;
  return {
    AutoRemove: true,
    NetworkMode: 'none',
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    Privileged: false,
    ReadonlyRootfs: !writable,
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
      ...(writable ? [{ Name: 'fsize', Soft: limits.diskBytes, Hard: limits.diskBytes }] : []),
    ],
    LogConfig: { Type: 'none', Config: {} },
    Devices: [],
    RestartPolicy: { Name: 'no' },
    ...(runtime === undefined ? {} : { Runtime: runtime }),
    Tmpfs: memoryDisks(spec),
    Mounts: [
      volumeMount(spec, spec.root, limits.diskBytes),
      ...spec.scratch.map((folder) => volumeMount(spec, folder, scratchBytes(limits))),
      ...otherVolumes(spec).map(memoryMount),
    ],
  };
}

function memoryDisks(spec: ContainerSpec): Record<string, string> {
  const { uid, home } = identityOf(spec);
  const size = `rw,nosuid,nodev,exec,size=${scratchBytes(spec.limits)}`;
  const disks = { '/tmp': `${size},mode=1777` };
  return spec.writable ? disks : { ...disks, [home]: `${size},uid=${uid},gid=${uid},mode=0700` };
}

/** Image volumes at places where the workspace has a disk of its own are covered by that one. */
export function otherVolumes(spec: ContainerSpec): string[] {
  const taken = new Set([spec.root, ...spec.scratch, ...Object.keys(memoryDisks(spec))]);
  return spec.imageVolumes.filter((target) => !taken.has(target));
}

/** A volume and not a plain memory disk: the engine can put files only into volumes. */
function volumeMount(spec: ContainerSpec, target: string, bytes: number): Docker.MountSettings {
  const { uid } = identityOf(spec);
  const options = [
    `size=${bytes}`,
    `nr_inodes=${spec.limits.inodes}`,
    `uid=${uid}`,
    `gid=${uid}`,
    'mode=0755',
    'nosuid',
    'nodev',
  ];
  return {
    Type: 'volume',
    // No source: an anonymous volume, which the engine removes together with the container.
    Source: '',
    Target: target,
    VolumeOptions: {
      NoCopy: true,
      Labels: spec.labels,
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
