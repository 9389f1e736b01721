import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import {
  formatSize,
  messageOf,
  readTar,
  VivariumError,
  type ReadTarEntry,
} from '../../lib/index.ts';
import type { SeedEntry } from '../types.ts';
import type { Engine } from './engine.ts';
import { createFailure, hasStatus } from './failures.ts';
import { inspectImage } from './images.ts';
import { homeLabel, LABEL_HOME, LABEL_OWNER, LABEL_SESSION, type Owner } from './owner.ts';
import { removeContainer, volumesOf } from './remove.ts';

export interface ImageTreeOptions {
  owner: Owner;
  signal?: AbortSignal | undefined;
  /** What is below the folder and cannot be carried, with the reason. */
  onRefused?: ((path: string, reason: string) => void) | undefined;
  limits?: Partial<typeof LIMITS>;
}

/** One file is held in memory at a time. */
const LIMITS = { files: 400_000, fileBytes: 512 * 2 ** 20, totalBytes: 8 * 2 ** 30 };
const NOTHING = new Uint8Array();

/**
 * Files and folders below a folder of an image, as a seed takes them. A container is created for it
 * and never started: nothing of the image runs. `.git` is left out at any depth, so that no history
 * travels.
 * @throws VivariumError `image_missing`, `image_unusable` (no such folder, too large), `docker_failed`.
 */
export async function* imageTree(
  engine: Engine,
  image: string,
  folder: string,
  options: ImageTreeOptions,
): AsyncGenerator<SeedEntry, void, undefined> {
  const { id } = await inspectImage(engine, image);
  options.signal?.throwIfAborted();
  const container = await createIdle(engine, id, options.owner).catch((error: unknown) => {
    throw createFailure(error, { image });
  });
  const volumes = await volumesOf(engine, container.id);
  try {
    yield* filesOf(container, { image, folder, options });
  } finally {
    await removeContainer(engine, container.id, volumes).catch(() => {
      options.owner.abandoned.set(container.id, volumes);
    });
  }
}

function createIdle(engine: Engine, image: string, owner: Owner): Promise<Docker.Container> {
  return engine.docker.createContainer({
    Image: image,
    // An image may name no command; this one is never started.
    Entrypoint: ['cat'],
    Cmd: [],
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    Labels: {
      [LABEL_OWNER]: owner.id,
      [LABEL_HOME]: homeLabel(owner.home),
      [LABEL_SESSION]: 'image-tree',
    },
    HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], LogConfig: { Type: 'none', Config: {} } },
  });
}

interface Wanted {
  image: string;
  folder: string;
  options: ImageTreeOptions;
}

async function* filesOf(
  container: Docker.Container,
  wanted: Wanted,
): AsyncGenerator<SeedEntry, void, undefined> {
  const { onRefused = () => undefined } = wanted.options;
  const limits = { ...LIMITS, ...wanted.options.limits };
  const count = counter(wanted, limits);
  const twins: { path: string; mode: number; link: string }[] = [];
  for await (const entry of archive(container, `${wanted.folder}/.`, wanted, limits.fileBytes)) {
    const path = pathOf(entry.path);
    const shown = entry.path.toString('utf8');
    if (path === undefined) onRefused(shown, 'its name cannot be carried');
    else if (path === '' || inGit(path)) continue;
    else if (entry.kind === 'hardlink') {
      twins.push({ path, mode: entry.mode, link: pathOf(entry.link) ?? '' });
    } else {
      const found = seedEntry(path, entry);
      if (typeof found === 'string') onRefused(path, found);
      else yield count(found);
    }
  }
  // A file with several names comes once; its content is not known any more at the others.
  for (const { path, mode, link } of twins) {
    const content = await contentAt(
      container,
      `${wanted.folder}/${link}`,
      wanted,
      limits.fileBytes,
    );
    if (content === undefined) onRefused(path, 'its content is that of a file that is not carried');
    else yield count({ path, mode: fileMode(mode), content });
  }
}

function seedEntry(path: string, entry: ReadTarEntry): SeedEntry | string {
  if (entry.kind === 'folder') return { path, mode: '40000', content: NOTHING };
  if (entry.kind === 'symlink') return { path, mode: '120000', content: entry.link };
  if (entry.kind !== 'file') return 'it is a pipe or device';
  if (entry.content === null) return `it is larger than a file may be (${formatSize(entry.size)})`;
  return { path, mode: fileMode(entry.mode), content: entry.content };
}

function fileMode(mode: number): '100644' | '100755' {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

/** Relative to the folder; `undefined` for what must not become a path. */
function pathOf(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes) || bytes.length > 4_000) return undefined;
  const path = bytes.toString('utf8').replace(/^\.(?:\/|$)/, '');
  if (path === '') return path;
  const bad = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  return bad || path.includes('\0') ? undefined : path;
}

function inGit(path: string): boolean {
  return path.split('/').some((part) => part.toLowerCase() === '.git');
}

function counter(
  { image, folder }: Wanted,
  limits: typeof LIMITS,
): (entry: SeedEntry) => SeedEntry {
  let files = 0;
  let bytes = 0;
  return (entry) => {
    files += 1;
    bytes += entry.content.length;
    if (files <= limits.files && bytes <= limits.totalBytes) return entry;
    throw new VivariumError(
      'image_unusable',
      `${folder} of ${image} is too large for a workspace: more than ${files > limits.files ? `${limits.files} files` : formatSize(limits.totalBytes)}.`,
      'Name the folder of the repository alone as the workdir of the task.',
    );
  };
}

async function* archive(
  container: Docker.Container,
  path: string,
  { image, folder, options }: Wanted,
  maxFileBytes: number,
): AsyncGenerator<ReadTarEntry, void, undefined> {
  const opened = await container.getArchive({ path }).catch((error: unknown) => {
    const missing = hasStatus(error, 404) || /not a directory/i.test(messageOf(error));
    if (!missing) throw createFailure(error, { image });
    throw new VivariumError(
      'image_unusable',
      `The image ${image} has no folder ${folder}.`,
      'Name the folder that the repository lies in as the workdir of the task.',
      error,
    );
  });
  // The client's types are wider than what it is.
  const stream = opened as Readable;
  const stop = (): void => void stream.destroy(options.signal?.reason as Error);
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    yield* readTar(stream, { maxFileBytes });
    options.signal?.throwIfAborted();
  } finally {
    options.signal?.removeEventListener('abort', stop);
    stream.on('error', () => undefined);
    stream.destroy();
  }
}

async function contentAt(
  container: Docker.Container,
  path: string,
  wanted: Wanted,
  maxFileBytes: number,
): Promise<Uint8Array | undefined> {
  for await (const { content } of archive(container, path, wanted, maxFileBytes)) {
    return content ?? undefined;
  }
  return undefined;
}
