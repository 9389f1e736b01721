import path from 'node:path';
import { formatSize } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { stoppedError } from '../failure.ts';
import { formatAge } from '../render/format.ts';
import { jsonText, oneLine } from '../render/safe-text.ts';
import { renderTable } from '../render/table.ts';
import { withCore } from '../with-core.ts';

interface Image {
  reference: string;
  id: string;
  bytes: number;
  createdAt: number;
}

/** The first characters of an id, without `sha256:`; as Docker shows it. */
const ID_CHARACTERS = 12;

/** The table of images at the time `now` (ms since 1970). */
export function renderImages(
  images: readonly Image[],
  now: number,
  columns: number | null,
): string {
  const rows = images.map(({ reference, id, bytes, createdAt }) => [
    oneLine(id.replace(/^sha256:/, '').slice(0, ID_CHARACTERS)),
    formatSize(bytes),
    formatAge((now - createdAt) / 1000),
    oneLine(reference),
  ]);
  return renderTable(['ID', 'SIZE', 'AGE', 'IMAGE'], rows, columns);
}

/** `vivarium images list`. */
export async function listImages(console: Console, { json }: { json?: boolean }): Promise<number> {
  const images = await withCore(console, ({ core }) => core.images.list());
  if (json) console.out(jsonText(images));
  else if (images.length > 0) console.out(renderImages(images, Date.now(), console.outColumns()));
  else console.err('There are no images. Make one with `vivarium images build`.\n');
  return 0;
}

/** `vivarium images import`: one reference a line. */
export async function importImage(
  console: Console,
  file: string,
  { json }: { json?: boolean },
): Promise<number> {
  const archive = path.resolve(file);
  const images = await withCore(console, ({ core, signal }) => core.images.import(archive, signal));
  console.out(json ? jsonText({ images }) : images.map((one) => `${oneLine(one)}\n`).join(''));
  return 0;
}

/** `vivarium images build`: progress on stderr, the reference on stdout. */
export async function buildImage(
  console: Console,
  options: { tag?: string; package?: string[]; json?: boolean },
): Promise<number> {
  const { tag, package: packages, json } = options;
  const image = await withCore(
    console,
    async ({ core, signal }) => {
      try {
        return await core.images.build({
          signal,
          ...(tag !== undefined && { tag }),
          ...(packages !== undefined && { packages }),
          onProgress: (line) => console.err(`${oneLine(line)}\n`),
        });
      } catch (error) {
        const next = 'Nothing was built; run the command again to start over.';
        throw signal.aborted ? stoppedError(next, error) : error;
      }
    },
    { onStop: () => console.err('stopping: what was begun is removed\n'), onKill: () => undefined },
  );
  console.out(json ? jsonText({ image }) : `${oneLine(image)}\n`);
  return 0;
}
