import { join } from 'node:path';
import { z } from 'zod';
import { contentKind, refuseKind } from '../content-kind.ts';
import { damaged, invalid } from '../invalid.ts';
import { readJsonObject } from './read-config.ts';
import { readSafetensorsHeader, type SafeTensor } from './safetensors-header.ts';

const INDEX = 'model.safetensors.index.json';
const WHOLE = 'model.safetensors';
const MAX_INDEX_BYTES = 64 * 2 ** 20;
const PICKLES = /\.(?:bin|pt|pth|ckpt|pkl|pickle)$/i;

export interface Weights {
  /** Names in the folder: shards, and the index when there is one. */
  files: string[];
  tensors: SafeTensor[];
}

/**
 * The weights of a Hugging Face folder: all shards that the index names, their headers checked, and
 * each tensor where the index says.
 *
 * @throws VivariumError `model_file_invalid`
 */
export async function readWeights(
  folder: string,
  names: readonly string[],
  onFile: (path: string) => void,
): Promise<Weights> {
  if (!names.includes(INDEX)) {
    if (!names.includes(WHOLE)) throw await refuseWithoutWeights(folder, names);
    onFile(join(folder, WHOLE));
    return checked(folder, [WHOLE], await readSafetensorsHeader(join(folder, WHOLE)));
  }
  const shards = await readIndex(folder);
  checkAllThere(shards, names);
  const tensors: SafeTensor[] = [];
  for (const [shard, wanted] of shards) {
    onFile(join(folder, shard));
    const found = await readSafetensorsHeader(join(folder, shard));
    const present = new Set(found.map(({ name }) => name));
    const absent = wanted.filter((name) => !present.has(name));
    if (absent.length > 0) {
      throw damaged(
        join(folder, shard),
        `it lacks ${absent.length} tensors that ${INDEX} promises, ${absent[0] ?? ''} for one`,
      );
    }
    tensors.push(...found);
  }
  return checked(folder, [INDEX, ...shards.keys()], tensors);
}

function checked(folder: string, files: string[], tensors: SafeTensor[]): Weights {
  if (tensors.length > 0) return { files, tensors };
  throw damaged(folder, 'its weight files hold no tensors');
}

/** Tensors by shard, in the order of the names. */
async function readIndex(folder: string): Promise<Map<string, string[]>> {
  const path = join(folder, INDEX);
  const index = await readJsonObject(path, MAX_INDEX_BYTES);
  const parsed = z.record(z.string(), z.string()).safeParse(index?.['weight_map']);
  if (!parsed.success || Object.keys(parsed.data).length === 0) {
    throw damaged(path, 'it does not say which shard holds which tensor');
  }
  const shards = new Map<string, string[]>();
  for (const [tensor, shard] of Object.entries(parsed.data).toSorted(byShard)) {
    if (!/^[^/\\\0]+\.safetensors$/.test(shard)) {
      throw invalid(
        `${path} names the shard "${shard}", which is no safetensors file of this folder.`,
        'Get the model again from where it is published; do not use this copy.',
      );
    }
    const list = shards.get(shard);
    if (list) list.push(tensor);
    else shards.set(shard, [tensor]);
  }
  return shards;
}

function byShard(a: [string, string], b: [string, string]): number {
  return a[1] < b[1] ? -1 : Number(a[1] > b[1]);
}

function checkAllThere(shards: ReadonlyMap<string, unknown>, names: readonly string[]): void {
  const missing = [...shards.keys()].filter((shard) => !names.includes(shard));
  if (missing.length === 0) return;
  throw invalid(
    `Shards of the model are missing: ${listed(missing)}.`,
    `Put all ${shards.size} shards into one folder with ${INDEX}.`,
  );
}

/** `a, b, c, and 4 more`. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown}, and ${names.length - 3} more` : shown;
}

/** A folder without the usual weights: each of the usual reasons has its own advice. */
async function refuseWithoutWeights(folder: string, names: readonly string[]): Promise<Error> {
  const shards = names.filter((name) => /\.safetensors$/i.test(name));
  if (shards.includes('adapter_model.safetensors') || names.includes('adapter_config.json')) {
    return refuseAdapter(folder);
  }
  if (shards.length > 0) {
    return invalid(
      `${folder} has ${listed(shards)}, but neither ${WHOLE} nor ${INDEX}.`,
      `Put ${INDEX} beside the shards; it is published with them.`,
    );
  }
  const pickles = names.filter((name) => PICKLES.test(name));
  for (const name of pickles) {
    const kind = await contentKind(join(folder, name));
    if (kind === 'lfs pointer') return refuseKind(join(folder, name), kind);
  }
  if (pickles.length > 0) {
    return invalid(
      `${folder} has its weights only as Python pickles (${listed(pickles)}), which can run any program when they are loaded.`,
      'Convert the model to safetensors on a machine you can lose, or get it as safetensors or GGUF.',
    );
  }
  return invalid(
    `${folder} has a config.json, but no weights.`,
    `Put ${WHOLE}, or all shards and ${INDEX}, into the folder.`,
  );
}

export function refuseAdapter(folder: string): Error {
  return invalid(
    `${folder} holds a LoRA adapter, not a whole model.`,
    'Merge it into its base model on a machine that has both, and give the merged model.',
  );
}
