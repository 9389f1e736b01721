import path from 'node:path';
import type { AddProgress, LibraryModel } from '../../../../core/index.ts';
import { formatSize } from '../../../../lib/index.ts';
import type { Console } from '../../console.ts';
import { stoppedError } from '../../failure.ts';
import { createLiveBlock } from '../../progress/live-block.ts';
import { renderModel, renderModels, renderVerified } from '../../render/model.ts';
import { jsonText, oneLine, pathText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

const BAR_CELLS = 24;
/** A terminal shows nothing faster than this. */
const DRAW_EVERY_MS = 100;

/** One line that tells how far the reading or copying of files is. */
export function progressLine({ phase, file, doneBytes, totalBytes }: AddProgress): string {
  // What is only looked at has no size.
  if (totalBytes === 0) return `${phase.padEnd(8)} ${pathText(path.basename(file))}`;
  const share = Math.min(1, doneBytes / totalBytes);
  const cells = Math.round(share * BAR_CELLS);
  const bar = '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
  const done = `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`;
  return `${phase.padEnd(8)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done}  ${pathText(path.basename(file))}`;
}

/** Draws progress on a terminal; elsewhere each phase is said once. */
function watchProgress(console: Console): {
  onProgress: (progress: AddProgress) => void;
  end: () => void;
} {
  const block = createLiveBlock(console);
  const isTerminal = console.errSize() !== null;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let said = '';
  return {
    onProgress: (progress) => {
      const now = performance.now();
      if (isTerminal && (now - drawnAt > DRAW_EVERY_MS || progress.phase !== said)) {
        drawnAt = now;
        block.draw([progressLine(progress)]);
      }
      if (!isTerminal && progress.phase !== said) {
        const size = progress.totalBytes === 0 ? '' : ` (${formatSize(progress.totalBytes)})`;
        console.err(`${progress.phase}${size}\n`);
      }
      said = progress.phase;
    },
    end: () => block.end(),
  };
}

/** `vivarium models add`. */
export async function addModel(
  console: Console,
  source: string,
  options: { name?: string; copy?: boolean; json?: boolean },
): Promise<number> {
  const watching = watchProgress(console);
  let model: LibraryModel;
  try {
    model = await withCore(
      console,
      async ({ core, signal }) => {
        const { name, copy } = options;
        const wanted = { ...(name !== undefined && { name }), ...(copy !== undefined && { copy }) };
        try {
          const { onProgress } = watching;
          return await core.models.add(path.resolve(source), { ...wanted, signal, onProgress });
        } catch (error) {
          const next = 'Nothing was added; run the command again to start over.';
          throw signal.aborted ? stoppedError(next, error) : error;
        }
      },
      { onStop: () => undefined, onKill: watching.end },
    );
  } finally {
    watching.end();
  }
  console.out(options.json ? jsonText(model) : renderModel(model));
  if (!options.json) {
    console.err(
      `\nNext: \`vivarium models plan ${model.name}\`, then \`vivarium fix --model ${model.name}\`.\n`,
    );
  }
  return 0;
}

/** `vivarium models list`. */
export async function listModels(console: Console, { json }: { json?: boolean }): Promise<number> {
  const models = await withCore(console, ({ core }) => core.models.library.list());
  if (json) console.out(jsonText(models));
  else if (models.length > 0) console.out(renderModels(models, Date.now(), console.outColumns()));
  else console.err('There are no models yet. Bring one with `vivarium models add PATH`.\n');
  return 0;
}

/** `vivarium models show`. */
export async function showModel(
  console: Console,
  name: string,
  { json }: { json?: boolean },
): Promise<number> {
  const model = await withCore(console, ({ core }) => core.models.library.get(name));
  console.out(json ? jsonText(model) : renderModel(model));
  return 0;
}

/** `vivarium models verify`: 1 when a file is not as it was recorded. */
export async function verifyModel(
  console: Console,
  name: string,
  { json }: { json?: boolean },
): Promise<number> {
  const watching = watchProgress(console);
  try {
    const result = await withCore(console, ({ core, signal }) =>
      core.models.library.verify(name, { signal, onProgress: watching.onProgress }),
    );
    watching.end();
    console.out(json ? jsonText(result) : renderVerified(result));
    return result.ok ? 0 : 1;
  } finally {
    watching.end();
  }
}

/** `vivarium models remove`. */
export async function removeModel(
  console: Console,
  name: string,
  { json }: { json?: boolean },
): Promise<number> {
  const removed = await withCore(console, ({ core }) => core.models.library.remove(name));
  const { deletedBytes } = removed;
  const files =
    deletedBytes === 0 ? 'the files stay where they are' : `${formatSize(deletedBytes)} deleted`;
  console.out(json ? jsonText({ name, ...removed }) : `Removed ${oneLine(name)}; ${files}.\n`);
  return 0;
}

/** `vivarium models rename`. */
export async function renameModel(
  console: Console,
  name: string,
  to: string,
  { json }: { json?: boolean },
): Promise<number> {
  const model = await withCore(console, ({ core }) => core.models.library.rename(name, to));
  console.out(json ? jsonText(model) : `Renamed ${oneLine(name)} to ${oneLine(model.name)}.\n`);
  return 0;
}
