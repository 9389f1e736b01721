import type Docker from 'dockerode';
import type { AttestationRow } from '../types.ts';
import { containerOptions, otherVolumes, type ContainerSpec } from './container-options.ts';

type Inspected = Docker.ContainerInspectInfo;

/** The engine's record of a container against what was asked for, by meaning. */
export function engineRows(found: Inspected, spec: ContainerSpec): AttestationRow[] {
  const asked = containerOptions(spec);
  // Members that the client's types lack are read by name.
  const host: Record<string, unknown> = { ...found.HostConfig };
  const wanted: Record<string, unknown> = { ...asked.HostConfig };
  const config: Record<string, unknown> = { ...found.Config };
  const rows: AttestationRow[] = [];
  const row = (check: string, expected: unknown, value: unknown) =>
    rows.push({ check, from: 'engine', expected: text(expected), found: text(value) });
  // As asked for: some image stores record another digest of the same image.
  row('image', spec.imageId, config['Image']);
  if (spec.runtime !== undefined) row('runtime', spec.runtime, host['Runtime']);
  for (const name of PLAIN) row(name, wanted[name], host[name]);
  for (const name of ABSENT) row(name, 'none', host[name]);
  row('UsernsMode', 'not host', host['UsernsMode'] === 'host' ? 'host' : 'not host');
  row('SecurityOpt', wanted['SecurityOpt'], host['SecurityOpt']);
  row('CapDrop', ['ALL'], upperCase(host['CapDrop']));
  row('LogConfig', 'none', member(host['LogConfig'], 'Type'));
  row('Ulimits', ulimits(wanted['Ulimits']), ulimits(host['Ulimits']));
  row('Tmpfs', wanted['Tmpfs'], host['Tmpfs']);
  row('User', asked.User, config['User']);
  row('Entrypoint', asked.Entrypoint, config['Entrypoint']);
  row('StdinOnce', true, config['StdinOnce']);
  row('Healthcheck', 'NONE', member(member(config['Healthcheck'], 'Test'), '0'));
  row('ports', 'none', found.NetworkSettings.Ports);
  row('mounts', expectedMounts(spec), found.Mounts.map(describeMount).toSorted());
  return rows;
}

const PLAIN = [
  'AutoRemove',
  'NetworkMode',
  'Privileged',
  'ReadonlyRootfs',
  'Init',
  'IpcMode',
  'CgroupnsMode',
  'Memory',
  'MemorySwap',
  'NanoCpus',
  'PidsLimit',
  'ShmSize',
] as const;

const ABSENT = [
  'Binds',
  'CapAdd',
  'Devices',
  'DeviceRequests',
  'DeviceCgroupRules',
  'PidMode',
  'UTSMode',
  'VolumesFrom',
  'PortBindings',
  'Links',
  'GroupAdd',
] as const;

function expectedMounts(spec: ContainerSpec): string[] {
  const volumes = [spec.root, ...spec.scratch].map((target) => `volume local ${target} rw`);
  return [...volumes, ...otherVolumes(spec).map((target) => `tmpfs - ${target} rw`)].toSorted();
}

function describeMount(mount: Inspected['Mounts'][number]): string {
  return [mount.Type, mount.Driver || '-', mount.Destination, mount.RW ? 'rw' : 'ro'].join(' ');
}

function upperCase(value: unknown): unknown {
  return Array.isArray(value) ? value.map((name) => String(name).toUpperCase()) : value;
}

function ulimits(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((one) => {
      const [name, soft, hard] = ['Name', 'Soft', 'Hard'].map((key) => text(member(one, key)));
      return `${name}=${soft}:${hard}`;
    })
    .toSorted();
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Engines write "nothing" as null, an empty list, an empty object or an empty text. */
function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(text).join(', ');
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? 'none' : entries.map(([k, v]) => `${k}: ${text(v)}`).join('; ');
}
