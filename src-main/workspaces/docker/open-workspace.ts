import type Docker from 'dockerode';
import { newId, VivariumError } from '../../lib/index.ts';
import { fitLimits } from '../limits.ts';
import { ShellUnusable } from '../shell/channel.ts';
import { ShellWorkspace } from '../shell/shell-workspace.ts';
import type { Attestation, OpenWorkspace, Workspace } from '../types.ts';
import { attest, cutRows } from './attest.ts';
import { containerOptions, identityOf, userOf, type ContainerSpec } from './container-options.ts';
import type { Engine } from './engine.ts';
import { createFailure, isAnswer } from './failures.ts';
import { inspectImage } from './images.ts';
import { attachKeeper, type Keeper } from './keeper.ts';
import {
  homeLabel,
  LABEL_ATTEMPT,
  LABEL_HOME,
  LABEL_OWNER,
  LABEL_SESSION,
  LABEL_WORKSPACE,
  type Owner,
} from './owner.ts';
import { keepLoginPath } from './login-path.ts';
import { dockerPort, whyEnded } from './port.ts';
import { probeEngine, type EngineFacts } from './probe.ts';
import { removeContainer, volumesOf } from './remove.ts';
import { placeSeed } from './seed.ts';
import { checkedRoot, checkedScratch } from './root.ts';
import { readUsage } from './usage.ts';
import { watchLayer } from './watch-layer.ts';

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
  const root = checkedRoot(options.root);
  const spec: ContainerSpec = {
    imageId: image.id,
    root,
    scratch: checkedScratch(options.scratch, root),
    writable: options.rootfs === 'writable',
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
  void removeAbandoned(engine, options.owner);
  const container = await engine.docker
    .createContainer(containerOptions(spec))
    .catch((error: unknown) => {
      throw createFailure(error, options);
    });
  // Known before the start: a container that ends at once takes the knowledge with it.
  const volumes = await volumesOf(engine, container.id);
  try {
    const { path } = image;
    return await start({ engine, container, volumes, id, options, spec, machine, path });
  } catch (error) {
    await removeContainer(engine, container.id, volumes).catch(() => undefined);
    throw error instanceof VivariumError ? error : createFailure(error, options);
  }
}

/** Never rejects: what cannot be removed now is tried again with the next workspace. */
async function removeAbandoned(engine: Engine, owner: Owner): Promise<void> {
  for (const [id, volumes] of owner.abandoned) {
    await removeContainer(engine, id, volumes).then(
      () => owner.abandoned.delete(id),
      () => undefined,
    );
  }
}

interface Opening {
  engine: Engine;
  container: Docker.Container;
  volumes: readonly string[];
  id: string;
  options: OpenWorkspace & { owner: Owner };
  spec: ContainerSpec;
  machine: EngineFacts;
  /** Of the image. */
  path: string | null;
}

async function start(opening: Opening): Promise<Workspace> {
  const { container, options } = opening;
  const keeper = await attachKeeper(container);
  try {
    await container.start();
    options.signal?.throwIfAborted();
    return await fill(opening, keeper);
  } catch (error) {
    const said = keeper.said();
    keeper.release();
    // Its words explain an answer like "no such container" better than that answer does.
    if (said !== '' && !(error instanceof VivariumError))
      throw endedAtOnce(options.image, said, error);
    throw error;
  }
}

/** From a running empty container to a workspace that can be handed out. */
async function fill(opening: Opening, keeper: Keeper): Promise<Workspace> {
  const { engine, container, volumes, options, spec, machine } = opening;
  const { uid, home } = identityOf(spec);
  const layer = watchLayer(container, spec, dockerPort(container, keeper, userOf(spec)));
  const { port } = layer;
  const seedPaths = await placeSeed(container, options.seed, { folder: spec.root, uid, port });
  const attestation: Attestation = {
    imageId: spec.imageId,
    runtime: spec.runtime ?? machine.defaultRuntime,
    engine: engine.name,
    rows: cutRows(options.limits, spec.limits),
  };
  const workspace = new ShellWorkspace({
    id: opening.id,
    root: spec.root,
    home,
    attestation,
    port,
    pidsLimit: spec.limits.pids,
    seedPaths,
    ended: keeper.ended.then(() => whyEnded(port)),
    usage: () => readUsage(container),
    writable: [spec.root, ...spec.scratch],
    place: async (folder, entries) => {
      await placeSeed(container, entries, { folder, uid, port });
    },
    remove: async () => {
      await removeContainer(engine, container.id, volumes).catch((error: unknown) => {
        // An engine that is gone cannot remove; it is done once it is back.
        if (isAnswer(error)) throw createFailure(error, options);
        options.owner.abandoned.set(container.id, volumes);
      });
      layer.end();
      keeper.release();
      options.onRemoved?.();
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
  // A repository that lies where the home is must not get a file of ours.
  const apart = !`${home}/`.startsWith(`${spec.root}/`);
  if (opening.path !== null && apart) await keepLoginPath(workspace, opening.path);
  options.signal?.throwIfAborted();
  return workspace;
}

function unusableOr(error: unknown, image: string): unknown {
  return error instanceof ShellUnusable ? unusable(image, error) : error;
}

function endedAtOnce(image: string, said: string, error: unknown): VivariumError {
  return new VivariumError(
    'image_unusable',
    `The image ${image} cannot be a workspace: its main process ended at once (${said}).`,
    'Use an image with a POSIX shell and coreutils (or BusyBox).',
    error,
  );
}

function unusable(image: string, error: ShellUnusable): VivariumError {
  return new VivariumError(
    'image_unusable',
    `The image ${image} cannot be a workspace: ${error.message}.`,
    'Use an image with a POSIX shell, coreutils, findutils and util-linux (or BusyBox).',
    error,
  );
}
