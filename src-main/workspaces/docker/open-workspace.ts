import { PassThrough, Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { newId, VivariumError, messageOf } from '../../lib/index.ts';
import { ShellUnusable } from '../shell/channel.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import { ShellWorkspace } from '../shell/shell-workspace.ts';
import { fitLimits } from '../limits.ts';
import type { Attestation, OpenWorkspace, Workspace } from '../types.ts';
import { attest, cutRows } from './attest.ts';
import {
  AGENT_HOME,
  AGENT_USER,
  containerOptions,
  WORKSPACE_ROOT,
  type ContainerSpec,
} from './container-options.ts';
import type { Engine } from './engine.ts';
import { createFailure, hasStatus, isAnswer } from './failures.ts';
import { inspectImage } from './images.ts';
import {
  homeLabel,
  LABEL_ATTEMPT,
  LABEL_HOME,
  LABEL_OWNER,
  LABEL_SESSION,
  LABEL_WORKSPACE,
  type Owner,
} from './owner.ts';
import { probeEngine, type EngineFacts } from './probe.ts';
import { removeContainer, volumesOf } from './remove.ts';
import { startExec } from './exec-stream.ts';
import { seedTar } from './tar.ts';
import { readUsage } from './usage.ts';

/**
 * Creates a locked-down container, places the seed in it and checks the hardening before any
 * command can run. A failure at any point leaves neither container nor volume.
 * @throws VivariumError `image_missing`, `image_unusable`, `runtime_missing`, `hardening_refused`,
 * `docker_failed`, `workspace_failed`.
 */
export async function openWorkspace(
  engine: Engine,
  options: OpenWorkspace & { owner: Owner },
): Promise<Workspace> {
  const [image, machine] = await Promise.all([
    inspectImage(engine, options.image),
    probeEngine(engine),
  ]);
  const id = newId(12);
  const spec: ContainerSpec = {
    imageId: image.id,
    limits: fitLimits(options.limits, machine).limits,
    runtime: options.runtime,
    imageVolumes: image.volumes,
    labels: {
      [LABEL_OWNER]: options.owner.id,
      [LABEL_HOME]: homeLabel(options.owner.home),
      [LABEL_SESSION]: options.labels.session,
      [LABEL_ATTEMPT]: options.labels.attempt,
      [LABEL_WORKSPACE]: id,
    },
  };
  options.signal?.throwIfAborted();
  const container = await engine.docker
    .createContainer(containerOptions(spec))
    .catch((error: unknown) => {
      throw createFailure(error, options);
    });
  try {
    return await start({ engine, container, id, options, spec, machine });
  } catch (error) {
    await removeContainer(engine, container.id).catch(() => undefined);
    throw error instanceof VivariumError ? error : createFailure(error, options);
  }
}

async function attachKeeper(container: Docker.Container): Promise<Duplex> {
  const stream = await container.attach({
    stream: true,
    stdin: true,
    stdout: true,
    stderr: true,
    hijack: true,
  });
  // The client's types are wider than what a hijacked connection is: the socket itself.
  return stream as Duplex;
}

interface Opening {
  engine: Engine;
  container: Docker.Container;
  id: string;
  options: OpenWorkspace;
  spec: ContainerSpec;
  machine: EngineFacts;
}

async function start(opening: Opening): Promise<Workspace> {
  const { engine, container, options, spec, machine } = opening;
  const keeper = await attachKeeper(container);
  await container.start();
  options.signal?.throwIfAborted();
  const port = dockerPort(container);
  const [seedPaths, volumes] = await Promise.all([
    seed(container, options),
    volumesOf(engine, container.id),
  ]);
  const attestation: Attestation = {
    imageId: spec.imageId,
    runtime: spec.runtime ?? machine.defaultRuntime,
    engine: engine.name,
    rows: cutRows(options.limits, spec.limits),
  };
  const workspace = new ShellWorkspace({
    id: opening.id,
    root: WORKSPACE_ROOT,
    home: AGENT_HOME,
    attestation,
    port,
    pidsLimit: spec.limits.pids,
    seedPaths,
    ended: keeperEnded(keeper, port),
    usage: () => readUsage(container),
    remove: async () => {
      await removeContainer(engine, container.id, volumes).catch((error: unknown) => {
        // An engine that is gone cannot remove; the reaper does it once it is back.
        if (isAnswer(error)) throw createFailure(error, options);
      });
      keeper.destroy();
    },
  });
  const [prepared, attested] = await Promise.allSettled([
    workspace.prepare(),
    attest(container, port, spec),
  ]);
  // An image without a shell fails both; the shell's own words are the useful ones.
  if (prepared.status === 'rejected') throw unusableOr(prepared.reason, options.image);
  if (attested.status === 'rejected') throw attested.reason;
  attestation.rows.push(...attested.value);
  options.signal?.throwIfAborted();
  return workspace;
}

function unusableOr(error: unknown, image: string): unknown {
  return error instanceof ShellUnusable ? unusable(image, error) : error;
}

function unusable(image: string, error: ShellUnusable): VivariumError {
  return new VivariumError(
    'image_unusable',
    `The image ${image} cannot be a workspace: ${error.message}.`,
    'Use an image with a POSIX shell, coreutils, findutils and util-linux (or BusyBox).',
    error,
  );
}

async function seed(container: Docker.Container, options: OpenWorkspace): Promise<Set<string>> {
  const paths = new Set<string>();
  const tar = seedTar(options.seed, (path, mode) => {
    if (mode !== '40000') paths.add(path);
  });
  const body = new PassThrough({ highWaterMark: 4 << 20 });
  const sent = pipeline(Readable.from(tar, { objectMode: false }), body);
  // A seed that fails must reach us as its own error, not as the engine's broken request.
  const placed = container.putArchive(body, { path: WORKSPACE_ROOT });
  placed.catch(() => undefined);
  await sent.catch(async (error: unknown) => {
    // The engine's refusal breaks the pipe too, and says more.
    const refusal: unknown = await placed.catch((thrown: unknown) => thrown);
    throw isAnswer(refusal) ? refusal : seedFailure(error);
  });
  await placed;
  return paths;
}

function seedFailure(error: unknown): Error {
  if (error instanceof VivariumError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new VivariumError(
    'workspace_failed',
    `The snapshot could not be read: ${messageOf(error)}`,
    'Check that the repository and the disk are readable, then try again.',
    error,
  );
}

function dockerPort(container: Docker.Container): SandboxPort {
  return {
    exec: (argv) => startExec(container, argv, AGENT_USER),
    goneReason: () => goneReason(container),
    kill: async () => {
      await container.kill().catch(() => undefined);
    },
  };
}

async function goneReason(container: Docker.Container): Promise<string | undefined> {
  try {
    const { State: state } = await container.inspect();
    if (state.Running && !state.Dead) return undefined;
    if (state.OOMKilled) return 'its container was ended for using too much memory';
    return `its container has ended (exit code ${state.ExitCode})`;
  } catch (error) {
    if (hasStatus(error, 404)) return 'its container was removed from outside';
    return `the container engine does not answer (${messageOf(error)})`;
  }
}

/** The attached main process ends with the container, or with the engine. */
async function keeperEnded(keeper: Duplex, port: SandboxPort): Promise<string> {
  await new Promise<void>((resolve) => {
    keeper.once('end', resolve);
    keeper.once('close', resolve);
    keeper.on('error', () => resolve());
    keeper.resume();
  });
  const reason = await port.goneReason();
  return reason ?? 'its connection to the container engine was cut';
}
