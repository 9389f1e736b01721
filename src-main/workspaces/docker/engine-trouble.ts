import { existsSync } from 'node:fs';
import path from 'node:path';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Candidate, Env } from './discovery.ts';

/** Why one place gave no engine. */
export interface Trouble {
  candidate: Candidate;
  kind: 'absent' | 'refused' | 'denied' | 'unusable' | 'other';
  error: unknown;
}

export function classifyTrouble(candidate: Candidate, error: unknown): Trouble {
  return { candidate, kind: kindOf(error), error };
}

function kindOf(error: unknown): Trouble['kind'] {
  if (error instanceof VivariumError) return 'unusable';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENOTFOUND') return 'absent';
  if (code === 'EACCES' || code === 'EPERM') return 'denied';
  if (code === 'ECONNREFUSED' || code === 'ETIMEDOUT' || code === 'ECONNRESET') return 'refused';
  return 'other';
}

/** The one error for all places that were tried, by what can be done about it. */
export function noEngine(troubles: readonly Trouble[], env: Env): VivariumError {
  const unusable = troubles.find((trouble) => trouble.kind === 'unusable');
  if (unusable?.error instanceof VivariumError) return unusable.error;
  const denied = troubles.find((trouble) => trouble.kind === 'denied');
  if (denied) return permissionError(denied);
  const chosen = troubles.find((trouble) => trouble.candidate.chosen);
  if (chosen) return chosenError(chosen);
  const there = troubles.find((trouble) => trouble.kind !== 'absent');
  if (there || onPath('dockerd', env) || onPath('docker', env)) return notRunning(there);
  return new VivariumError(
    'docker_missing',
    'No container engine was found on this machine.',
    'Install Docker Engine (Debian, Ubuntu: `sudo apt-get install docker.io`), or set DOCKER_HOST.',
    troubles[0]?.error,
  );
}

function permissionError({ candidate, error }: Trouble): VivariumError {
  return new VivariumError(
    'docker_no_permission',
    `You may not use the Docker socket ${address(candidate)}.`,
    'Run `sudo usermod -aG docker $USER` and log in again, or set up rootless Docker.',
    error,
  );
}

function chosenError({ candidate, error }: Trouble): VivariumError {
  return new VivariumError(
    'docker_not_running',
    `No engine answers at ${address(candidate)}, named by ${candidate.via} (${messageOf(error)}).`,
    candidate.via === 'DOCKER_HOST'
      ? 'Start that engine, or unset DOCKER_HOST to use the one of this machine.'
      : 'Start that engine, or run `docker context use default`.',
    error,
  );
}

function notRunning(there: Trouble | undefined): VivariumError {
  const where = there ? ` (${address(there.candidate)}: ${messageOf(there.error)})` : '';
  return new VivariumError(
    'docker_not_running',
    `Docker is installed but does not answer${where}.`,
    'Start it: `sudo systemctl start docker` (Linux), or open Docker Desktop.',
    there?.error,
  );
}

function address(candidate: Candidate): string {
  return candidate.host.replace(/^unix:\/\//, '');
}

function onPath(program: string, env: Env): boolean {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(path.join(folder, program)));
}
