import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { readSmallFile } from '../fix/index.ts';
import { VivariumError } from '../lib/index.ts';
import { findImage, type Engine } from '../workspaces/index.ts';

/** What `vivarium images build` makes where nobody names another tag. */
export const BASE_IMAGE = 'vivarium-base:latest';

/**
 * The image to work in: the one named by flag or `vivarium.yaml`, else the one of the repository's
 * devcontainer if it is here, else our base image. Nothing is ever pulled.
 * @throws VivariumError `image_missing` when the chosen one is not in the engine.
 */
export async function chooseImage(
  engine: Engine,
  repository: string,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined) return present(engine, named);
  const devcontainer = await imageOfDevcontainer(repository);
  if (devcontainer !== null && (await findImage(engine, devcontainer)) !== null)
    return devcontainer;
  return present(engine, BASE_IMAGE);
}

async function present(engine: Engine, image: string): Promise<string> {
  if ((await findImage(engine, image)) !== null) return image;
  const next =
    image === BASE_IMAGE
      ? 'Build it with `vivarium images build`.'
      : 'Bring it with `vivarium images import FILE` (an archive made by `docker save`), or name another with --image.';
  throw new VivariumError('image_missing', `image ${image} is not on this machine`, next);
}

/** `image` of `.devcontainer/devcontainer.json` or `.devcontainer.json`; `null` if none is named. */
export async function imageOfDevcontainer(repository: string): Promise<string | null> {
  for (const name of ['.devcontainer/devcontainer.json', '.devcontainer.json']) {
    const text = await readSmallFile(path.join(repository, name));
    if (text === null) continue;
    const value: unknown = parseJsonc(text);
    if (typeof value === 'object' && value !== null && 'image' in value) {
      if (typeof value.image === 'string' && value.image !== '') return value.image;
    }
  }
  return null;
}
