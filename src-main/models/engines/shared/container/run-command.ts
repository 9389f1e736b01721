import { join } from 'node:path';
import { nodeProgram, ownScript, processIdentity } from '../../../../lib/index.ts';
import type { LaunchCommand, LaunchInput } from '../../../servers/types.ts';
import { allowedEnvironment } from '../environment.ts';
import {
  CONTAINER_CACHE,
  CONTAINER_MODEL,
  CONTAINER_SOCKET_FOLDER,
  CONTAINER_TEMPLATE,
  SOCKET_FOLDER_MARK,
} from './places.ts';

/** What runs in the container. */
export interface ContainerWork {
  /** The program and all its words. */
  words: readonly string[];
  /** Variables it needs; those of the profile are added. */
  env: Readonly<Record<string, string>>;
}

/** Labels by which what was left can be found; none of a workspace's, whose reaper would take it. */
export const LABEL_SERVER = 'vivarium.server';
export const LABEL_SERVER_OWNER = 'vivarium.server-owner';

/** Shared memory for the exchange between GPU processes; only what is used is taken. */
const SHARED_MEMORY = '8g';

/**
 * Runs a server in a container without any network. Docker cannot publish a port of such a container
 * (nor of an internal network), and one with a published port could reach the outside. So the server
 * listens on a socket file in a folder of ours, and a relay of ours, in the same process group as
 * the Docker client, passes a port of 127.0.0.1 on to it.
 */
export function containerCommand(input: LaunchInput, work: ContainerWork): LaunchCommand {
  const docker = input.installation.command[0] ?? 'docker';
  const name = containerName(input.servedName);
  const run = [docker, 'run', ...runFlags(input, name), ...environmentFlags(input, work)];
  return {
    kind: 'program',
    argv: [
      ...[nodeProgram(), ownScript('relay'), String(input.port), join(input.cacheFolder, 'socket')],
      ...run,
      ...imageWords(input, work),
    ],
    env: clientEnvironment(input, work),
    cwd: input.cacheFolder,
    secrets: [input.key],
    container: { name, remover: docker },
  };
}

/** The same with paths as the container sees them. */
export function inContainer(input: LaunchInput): LaunchInput {
  const { profile } = input;
  if (profile.chatTemplate === null) return input;
  return { ...input, profile: { ...profile, chatTemplate: CONTAINER_TEMPLATE } };
}

function runFlags(input: LaunchInput, name: string): string[] {
  const { model, cacheFolder, profile, plan, installation } = input;
  const user = installation.command[installation.command.indexOf('--user') + 1] ?? '0:0';
  return [
    ...['--rm', '--init', '--pull', 'never', '--name', name],
    ...['--label', `${LABEL_SERVER}=${profile.name}`],
    ...['--label', `${LABEL_SERVER_OWNER}=${processIdentity()}`],
    ...['--network', 'none'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'],
    // Without capabilities root could not write into our folder.
    ...['--user', user],
    ...['--tmpfs', '/tmp:rw,exec,nosuid,nodev', '--shm-size', SHARED_MEMORY],
    ...mount(model.folder, CONTAINER_MODEL, true),
    ...mount(cacheFolder, CONTAINER_CACHE, false),
    ...mount(SOCKET_FOLDER_MARK, CONTAINER_SOCKET_FOLDER, false),
    ...(profile.chatTemplate === null ? [] : mount(profile.chatTemplate, CONTAINER_TEMPLATE, true)),
    ...gpuFlags(plan.device === 'cpu' ? [] : plan.gpus),
  ];
}

function mount(source: string, target: string, readOnly: boolean): string[] {
  // A comma in a path would begin another member; quotes are CSV's way around it.
  const member = /[",]/.test(source)
    ? `"source=${source.replaceAll('"', '""')}"`
    : `source=${source}`;
  return ['--mount', `type=bind,${member},target=${target}${readOnly ? ',readonly' : ''}`];
}

function gpuFlags(gpus: readonly number[]): string[] {
  return gpus.length === 0 ? [] : ['--gpus', `"device=${gpus.join(',')}"`];
}

/** Variables that the Docker client needs itself: those of the container must not replace them. */
const OF_CLIENT = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|DOCKER_.*|NO_PROXY)$/;

/**
 * Variables by name only, so that the key is in no command line; the client takes their values from
 * its own environment.
 */
function environmentFlags({ profile }: LaunchInput, { env }: ContainerWork): string[] {
  const all = { HOME: CONTAINER_CACHE, USER: 'vivarium', ...env, ...profile.environment };
  return Object.entries(all).flatMap(([name, value]) => [
    '--env',
    OF_CLIENT.test(name) ? `${name}=${value}` : name,
  ]);
}

function clientEnvironment(input: LaunchInput, { env }: ContainerWork): Record<string, string> {
  const passed = Object.entries({ USER: 'vivarium', ...env, ...input.profile.environment });
  const docker = Object.entries(input.env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('DOCKER_') && entry[1] !== undefined,
  );
  return {
    ...allowedEnvironment(input.env),
    ...Object.fromEntries(docker),
    ...Object.fromEntries(passed.filter(([name]) => !OF_CLIENT.test(name))),
  };
}

function imageWords({ profile }: LaunchInput, { words }: ContainerWork): string[] {
  const image = profile.source.kind === 'container' ? profile.source.image : '';
  const [program = '', ...rest] = words;
  return ['--entrypoint', program, image, ...rest];
}

/** The served name has our nonce in it; what Docker does not take in a name becomes a dash. */
function containerName(servedName: string): string {
  return `vivarium-server-${servedName.replaceAll(/[^a-zA-Z0-9_.-]/g, '-')}`;
}
