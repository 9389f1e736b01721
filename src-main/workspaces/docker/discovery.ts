import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** A place where an engine may listen. */
export interface Candidate {
  /** For people: where this address comes from. */
  via: string;
  /** `unix:///path`, `npipe:////./pipe/name`, `tcp://host:port` or `ssh://...`. */
  host: string;
  /** Named by the user: then no other place is tried. */
  chosen: boolean;
}

/**
 * Where to look, in order: DOCKER_HOST, the docker CLI's current context, the system's socket,
 * rootless sockets, Docker Desktop's, Podman's. docker-modem itself knows only the first.
 */
export function engineCandidates(
  env: Env,
  platform: NodeJS.Platform = process.platform,
  uid: number | undefined = process.getuid?.(),
): Candidate[] {
  const host = env['DOCKER_HOST'];
  if (host) return [{ via: 'DOCKER_HOST', host: withScheme(host), chosen: true }];
  const context = contextHost(env);
  if (context) return [{ ...context, chosen: true }];
  const places = platform === 'win32' ? windowsPlaces() : unixPlaces(env, uid);
  const hosts = [...new Set(places)];
  return hosts.map((place) => ({
    via: place.replace(/^\w+:\/\//, ''),
    host: place,
    chosen: false,
  }));
}

function withScheme(host: string): string {
  return host.includes('://') ? host : `tcp://${host}`;
}

function windowsPlaces(): string[] {
  return ['npipe:////./pipe/docker_engine', 'npipe:////./pipe/dockerDesktopLinuxEngine'];
}

function unixPlaces(env: Env, uid: number | undefined): string[] {
  const home = env['HOME'] ?? os.homedir();
  const runtime = env['XDG_RUNTIME_DIR'];
  const places = ['/var/run/docker.sock'];
  if (runtime) places.push(`${runtime}/docker.sock`);
  if (uid !== undefined) places.push(`/run/user/${uid}/docker.sock`);
  places.push(`${home}/.docker/run/docker.sock`, `${home}/.docker/desktop/docker.sock`);
  if (runtime) places.push(`${runtime}/podman/podman.sock`);
  places.push('/run/podman/podman.sock');
  return places.map((place) => `unix://${place}`);
}

/** The endpoint of the docker CLI's context, unless that is the default one. */
function contextHost(env: Env): { via: string; host: string } | undefined {
  const folder = env['DOCKER_CONFIG'] ?? path.join(env['HOME'] ?? os.homedir(), '.docker');
  const name = env['DOCKER_CONTEXT'] || currentContext(folder);
  if (name === undefined || name === '' || name === 'default') return undefined;
  const digest = createHash('sha256').update(name).digest('hex');
  const meta = readJson(path.join(folder, 'contexts', 'meta', digest, 'meta.json'));
  const host = member(member(member(meta, 'Endpoints'), 'docker'), 'Host');
  return typeof host === 'string' && host !== '' ? { via: `context ${name}`, host } : undefined;
}

function currentContext(folder: string): string | undefined {
  const name = member(readJson(path.join(folder, 'config.json')), 'currentContext');
  return typeof name === 'string' ? name : undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
