import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { SeedEntry } from '../types.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import { isAnswer } from './failures.ts';
import { asideOutward, makeLinks } from './outward-links.ts';
import { seedTar } from './tar.ts';

/**
 * Puts files into a folder of a container that is a volume, owned by `at.uid`, and returns the paths
 * of files and links.
 * @throws VivariumError `workspace_failed`, or the engine's own error.
 */
export async function placeSeed(
  container: Docker.Container,
  seed: AsyncIterable<SeedEntry>,
  at: { folder: string; uid: number; port: SandboxPort },
): Promise<Set<string>> {
  const paths = new Set<string>();
  const outward: SeedEntry[] = [];
  const tar = seedTar(asideOutward(seed, outward), at.uid, (path, mode) => {
    if (mode !== '40000') paths.add(path);
  });
  const body = new PassThrough({ highWaterMark: 4 << 20 });
  const sent = pipeline(Readable.from(tar, { objectMode: false }), body);
  // A seed that fails must reach us as its own error, not as the engine's broken request.
  const placed = container.putArchive(body, { path: at.folder });
  placed.catch(() => undefined);
  await sent.catch(async (error: unknown) => {
    // The engine's refusal breaks the pipe too, and says more.
    const refusal: unknown = await placed.catch((thrown: unknown) => thrown);
    throw isAnswer(refusal) ? refusal : seedFailure(error);
  });
  await placed;
  await makeLinks(at.port, at.folder, outward);
  for (const { path } of outward) paths.add(path);
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
