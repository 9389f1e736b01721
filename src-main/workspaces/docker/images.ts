import { createReadStream, existsSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { VivariumError } from '../../lib/index.ts';
import type { Engine } from './engine.ts';
import { createFailure, engineMessage, hasStatus } from './failures.ts';

export interface ImageFacts {
  id: string;
  references: string[];
  bytes: number;
  /** Unix time in ms. */
  createdAt: number;
  architecture: string;
  /** Folders declared with VOLUME. */
  volumes: string[];
}

const REFERENCE = /^[a-zA-Z0-9][a-zA-Z0-9._:@/-]*$/;

/** What the engine knows of an image; `null` when it is not on this machine. Never pulls. */
export async function findImage(engine: Engine, reference: string): Promise<ImageFacts | null> {
  // The name becomes part of a request's path.
  if (!REFERENCE.test(reference) || reference.includes('..')) return null;
  try {
    const found = await engine.docker.getImage(reference).inspect();
    return {
      id: found.Id,
      references: found.RepoTags,
      bytes: found.Size,
      createdAt: Date.parse(found.Created),
      architecture: found.Architecture,
      volumes: Object.keys(found.Config.Volumes ?? {}),
    };
  } catch (error) {
    // 400 is the answer to a name that cannot be one.
    if (hasStatus(error, 404) || hasStatus(error, 400)) return null;
    throw createFailure(error, { image: reference });
  }
}

/** @throws VivariumError `image_missing` when it is not on this machine; it is never pulled. */
export async function inspectImage(engine: Engine, reference: string): Promise<ImageFacts> {
  const found = await findImage(engine, reference);
  if (found) return found;
  throw new VivariumError(
    'image_missing',
    `The image ${reference} is not on this machine.`,
    'Run `vivarium images build`, or name a local image with --image.',
  );
}

/** Images that have a name, newest first. */
export async function listImages(
  engine: Engine,
): Promise<{ reference: string; id: string; bytes: number; createdAt: number }[]> {
  const images = await engine.docker.listImages().catch((error: unknown) => {
    throw createFailure(error, { image: '' });
  });
  return images
    .flatMap(({ RepoTags: tags, Id: id, Size: bytes, Created: seconds }) =>
      (tags ?? [])
        .filter((reference) => !reference.includes('<none>'))
        .map((reference) => ({ reference, id, bytes, createdAt: seconds * 1000 })),
    )
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.reference < b.reference ? -1 : 1));
}

/**
 * Loads an archive made by `docker save` (plain or gzip) and returns the references or ids it
 * brought. Nothing is unpacked by us.
 * @throws VivariumError `image_unusable` when the file is no such archive; the signal's reason, with
 * no more of it sent to the engine
 */
export async function importImageArchive(
  engine: Engine,
  file: string,
  signal?: AbortSignal,
): Promise<string[]> {
  signal?.throwIfAborted();
  if (!existsSync(file)) throw badArchive(file, 'it does not exist');
  const content = createReadStream(file);
  let text: string;
  try {
    const answer = await engine.docker.loadImage(content, {
      quiet: true,
      ...(signal && { abortSignal: signal }),
    });
    text = await readText(answer);
  } catch (error) {
    signal?.throwIfAborted();
    throw badArchive(file, engineMessage(error), error);
  } finally {
    content.destroy();
  }
  const loaded = [...text.matchAll(/Loaded image(?: ID)?: ([^\s\\"]+)/g)].map(
    (match) => match[1] ?? '',
  );
  if (loaded.length === 0)
    throw badArchive(file, /"error":"([^"]*)"/.exec(text)?.[1] ?? 'it holds no image');
  return loaded;
}

function badArchive(file: string, why: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'image_unusable',
    `${file} cannot be loaded as an image: ${why}.`,
    'Give a file made by `docker save IMAGE -o FILE`.',
    cause,
  );
}
