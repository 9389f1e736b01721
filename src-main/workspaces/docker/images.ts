import { VivariumError } from '../../lib/index.ts';
import type { Engine } from './engine.ts';
import { createFailure, hasStatus } from './failures.ts';

export interface ImageFacts {
  id: string;
  references: string[];
  bytes: number;
  /** Unix time in ms. */
  createdAt: number;
  architecture: string;
}

/** What the engine knows of an image; `null` when it is not on this machine. Never pulls. */
export async function findImage(engine: Engine, reference: string): Promise<ImageFacts | null> {
  try {
    const found = await engine.docker.getImage(reference).inspect();
    return {
      id: found.Id,
      references: found.RepoTags,
      bytes: found.Size,
      createdAt: Date.parse(found.Created),
      architecture: found.Architecture,
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
