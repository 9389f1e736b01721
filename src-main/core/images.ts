import { VivariumError } from '../lib/index.ts';
import { importImageArchive, listImages as listOf } from '../workspaces/index.ts';
import { BASE_IMAGE } from './choose-image.ts';
import type { Environment } from './environment.ts';
import type { Core } from './types.ts';

/** Images of the engine that can be named with --image. */
export async function listImages(environment: Environment): ReturnType<Core['images']['list']> {
  return listOf(await environment.engine());
}

/** Loads an archive made by `docker save`; returns the references it brought. */
export async function importImages(
  environment: Environment,
  file: string,
  signal?: AbortSignal,
): Promise<string[]> {
  return importImageArchive(await environment.engine(), file, signal);
}

/**
 * Builds the base image from the machine's own Debian archive, with more packages if named.
 * Returns its tag. The signal ends it, and nothing of it stays.
 * @throws VivariumError `image_unusable` with what the machine lacks; the signal's reason
 */
export async function buildImage(
  environment: Environment,
  options: Parameters<Core['images']['build']>[0],
): Promise<string> {
  // Connecting first tells a missing engine apart from a failing build.
  await environment.engine();
  const { buildImage: build, EnvironmentProblem } = await import('../../scripts/images.mjs');
  try {
    const { tag } = await build('base', {
      tag: options.tag ?? BASE_IMAGE,
      extraPackages: options.packages ?? [],
      ...(options.onProgress && { onProgress: options.onProgress }),
      ...(options.signal && { signal: options.signal }),
    });
    return tag;
  } catch (error) {
    if (!(error instanceof EnvironmentProblem)) throw error;
    throw new VivariumError('image_unusable', error.message, error.remedy.join(' '), error);
  }
}
