import { readFileSync } from 'node:fs';
import path from 'node:path';
import Docker from 'dockerode';
import { VivariumError } from '../../lib/index.ts';
import { engineCandidates, type Candidate, type Env } from './discovery.ts';
import { classifyTrouble, noEngine, type Trouble } from './engine-trouble.ts';

/** A container engine that answered. */
export interface Engine {
  docker: Docker;
  /** How it was found, for people: `DOCKER_HOST`, `context desktop-linux`, a socket's path. */
  via: string;
  /** E.g. `Docker 20.10.24`. */
  name: string;
}

const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Finds the engine to work with; see `engineCandidates` for where it looks.
 * @throws VivariumError `docker_missing`, `docker_not_running`, `docker_no_permission`, or
 * `docker_failed` when what answers cannot be used (Podman, Windows containers).
 */
export async function connectEngine(options: { env?: Env } = {}): Promise<Engine> {
  const env = options.env ?? process.env;
  const troubles: Trouble[] = [];
  for (const candidate of engineCandidates(env)) {
    try {
      return await tryEngine(candidate, env);
    } catch (error) {
      troubles.push(classifyTrouble(candidate, error));
    }
  }
  throw noEngine(troubles, env);
}

async function tryEngine(candidate: Candidate, env: Env): Promise<Engine> {
  const docker = new Docker(connectOptions(candidate.host, env));
  const version = await withTimeout(docker.version());
  const components = version.Components?.map((component) => component.Name).join(' ') ?? '';
  if (/podman/i.test(components)) {
    throw new VivariumError(
      'docker_failed',
      `Podman answers at ${candidate.via}; standard input of its exec calls can hang (containers/podman#7360).`,
      'Install Docker Engine (rootless works too), or point DOCKER_HOST at one.',
    );
  }
  if (version.Os !== 'linux') {
    throw new VivariumError(
      'docker_failed',
      `The engine at ${candidate.via} runs ${version.Os} containers.`,
      'Switch Docker Desktop to Linux containers.',
    );
  }
  return { docker, via: candidate.via, name: `Docker ${version.Version}` };
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = Object.assign(new Error('no answer within 5 s'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(failure), ANSWER_TIMEOUT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function connectOptions(host: string, env: Env): Docker.DockerOptions {
  const local = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1];
  if (local !== undefined) return { socketPath: local };
  const url = new URL(host);
  if (url.protocol === 'ssh:') {
    const agent = env['SSH_AUTH_SOCK'];
    return {
      protocol: 'ssh',
      host: url.hostname,
      port: url.port || 22,
      username: url.username,
      ...(agent ? { sshOptions: { agent } } : {}),
    };
  }
  const certificates = env['DOCKER_CERT_PATH'];
  const secure = env['DOCKER_TLS_VERIFY'] === '1' || url.port === '2376';
  const read = (name: string) => readFileSync(path.join(certificates ?? '', name));
  return {
    protocol: secure ? 'https' : 'http',
    host: url.hostname,
    port: url.port || (secure ? 2376 : 2375),
    ...(secure && certificates
      ? { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
      : {}),
  };
}
