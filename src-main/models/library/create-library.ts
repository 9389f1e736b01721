import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VivariumError } from '../../lib/index.ts';
import type {
  AddOptions,
  LibraryModel,
  ModelFacts,
  ModelLibrary,
} from '../servers/library-types.ts';
import { inspectModel } from './inspect.ts';
import { checkName, closeNames, safeName } from './names.ts';
import { COPIED, readRecord, sumOfFiles, writeRecord } from './record.ts';
import { openShelf, placeWhole, renameFree, shelfNames, sweep, temporaryName } from './shelf.ts';
import { takeIn } from './take-in.ts';
import { verifyFiles } from './verify.ts';

export interface ModelLibraryOptions {
  /** VIVARIUM_HOME; the library is its folder `models`. */
  home: string;
  /** Name of the preset that fits what the files say. */
  recognise: (facts: ModelFacts) => string;
  /** Whether a server of this model runs, whoever owns it. */
  inUse: (name: string) => Promise<boolean>;
}

/** The models of a home. Nothing is read or made before the first call. */
export function createModelLibrary(options: ModelLibraryOptions): ModelLibrary {
  const { home, inUse } = options;
  const get = async (name: string): Promise<LibraryModel> => {
    const shelf = await openShelf(home);
    await requireThere(shelf, name);
    const model = await readRecord(shelf, name);
    if (model === null) throw notFound(name, []);
    return model;
  };
  return {
    add: (path, choices = {}) => add(options, path, choices),
    get,
    async list() {
      const shelf = await openShelf(home);
      await sweep(shelf);
      const found: LibraryModel[] = [];
      for (const name of await shelfNames(shelf)) {
        // A damaged record must not hide the others; `get` says what is wrong with it.
        const model = await readRecord(shelf, name).catch(() => null);
        if (model !== null) found.push(model);
      }
      return found;
    },
    async verify(name, choices = {}) {
      return verifyFiles(await get(name), choices);
    },
    async remove(name) {
      const shelf = await openShelf(home);
      await requireThere(shelf, name);
      if (await inUse(name)) throw running(name);
      const model = await readRecord(shelf, name).catch(() => null);
      const doomed = join(shelf, temporaryName('removing'));
      await renameFree(join(shelf, name), doomed);
      await rm(doomed, { recursive: true, force: true });
      const copied = model?.copied === true ? model.files : [];
      return { deletedBytes: copied.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    async rename(name, to) {
      await get(name);
      checkName(to);
      const shelf = await openShelf(home);
      if (await inUse(name)) throw running(name);
      const names = await shelfNames(shelf);
      const isFree = !names.includes(to) && (await renameFree(join(shelf, name), join(shelf, to)));
      if (!isFree) throw exists(to);
      const model = await get(to);
      await writeRecord(join(shelf, to), model);
      return model;
    },
  };
}

async function add(
  { home, recognise }: ModelLibraryOptions,
  path: string,
  options: AddOptions,
): Promise<LibraryModel> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  if (options.name !== undefined) checkName(options.name);
  const shelf = await openShelf(home);
  await sweep(shelf);
  const onFile = (file: string): void => {
    signal?.throwIfAborted();
    onProgress?.({ phase: 'checking', file, doneBytes: 0, totalBytes: 0 });
  };
  const found = await inspectModel(path, { onFile });
  const name = options.name ?? safeName(found.title);
  // Found out before gigabytes are read; placing it finds out again.
  if ((await shelfNames(shelf)).includes(name)) throw exists(name);
  const model = await placeWhole(shelf, name, async (own) => {
    const target = options.copy === true ? join(own, COPIED) : null;
    const { files, sums } = await takeIn(found, target, home, options);
    const folder = target === null ? found.folder : join(shelf, name, COPIED);
    const model: LibraryModel = {
      name,
      addedAt: Date.now(),
      folder,
      copied: target !== null,
      entry: found.entry === '' ? folder : join(folder, found.entry),
      files,
      sha256: sumOfFiles(files),
      sums,
      facts: found.facts,
      preset: recognise(found.facts),
    };
    await writeRecord(own, model);
    signal?.throwIfAborted();
    return model;
  });
  if (model === null) throw exists(name);
  return model;
}

async function requireThere(shelf: string, name: string): Promise<void> {
  const names = await shelfNames(shelf);
  if (!names.includes(name)) throw notFound(name, names);
}

function notFound(name: string, names: readonly string[]): VivariumError {
  const close = closeNames(name, names);
  const next =
    names.length === 0
      ? 'The library is empty: add a model with `vivarium models add PATH`.'
      : close.length > 0
        ? `Did you mean ${close.join(', ')}? \`vivarium models list\` shows all.`
        : '`vivarium models list` shows all there are.';
  return new VivariumError('model_not_found', `There is no model named "${name}".`, next);
}

function exists(name: string): VivariumError {
  return new VivariumError(
    'model_exists',
    `There is a model named ${name} already.`,
    `Choose another name with --name, or remove that one with \`vivarium models remove ${name}\`.`,
  );
}

function running(name: string): VivariumError {
  return new VivariumError(
    'model_in_use',
    `The server of ${name} runs.`,
    `Stop it with \`vivarium models stop ${name}\` first.`,
  );
}
