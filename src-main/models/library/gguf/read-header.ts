import { damaged, invalid } from '../invalid.ts';
import { type PiecewiseFile, withFile } from '../read-at.ts';
import { type Cursor, openCursor } from './cursor.ts';
import { type Metadata, numberOf, readMetadata } from './read-metadata.ts';
import { tensorType } from './tensor-types.ts';

const MAX_TENSORS = 1_000_000;
const MAX_SIDES = 4;
const DEFAULT_ALIGNMENT = 32;

export interface GgufTensor {
  name: string;
  numbers: number;
  /** `null` for a type that is newer than our table. */
  bytes: number | null;
  type: string;
  /** From the start of the tensors' data. */
  offset: number;
}

export interface GgufHeader {
  metadata: Metadata;
  tensors: GgufTensor[];
  bytes: number;
}

/**
 * The header of one GGUF file, checked: every length lies in the file, every tensor's data too, and
 * none overlap. node-llama-cpp's own reader is not used for files of unknown origin: it allocates
 * what a header states, and reads zeros past the end of a cut file.
 *
 * @throws VivariumError `model_file_invalid`
 */
export function readGgufHeader(path: string): Promise<GgufHeader> {
  return withFile(path, async (file) => {
    const cursor = openCursor(file);
    await checkVersion(cursor, file);
    const tensorCount = await cursor.u64();
    const pairCount = await cursor.u64();
    if (tensorCount > MAX_TENSORS) throw damaged(path, `it states ${tensorCount} tensors`);
    const metadata = await readMetadata(cursor, path, pairCount);
    const tensors: GgufTensor[] = [];
    for (let index = 0; index < tensorCount; index += 1) {
      tensors.push(await readTensor(cursor, path));
    }
    checkBounds(file, cursor.at(), alignmentOf(path, metadata), tensors);
    return { metadata, tensors, bytes: file.bytes };
  });
}

async function checkVersion(cursor: Cursor, file: PiecewiseFile): Promise<void> {
  await cursor.ensure(4);
  const magic = cursor.take(4).toString('latin1');
  if (magic !== 'GGUF') throw invalid(`${file.path} is not a GGUF file.`, 'Give a GGUF file.');
  const version = await cursor.u32();
  if (version === 2 || version === 3) return;
  if (version === 1) {
    throw invalid(
      `${file.path} is a GGUF of version 1, which llama.cpp no longer reads.`,
      'Convert the model again, or get a newer file.',
    );
  }
  if (version > 0xffff) {
    throw invalid(
      `${file.path} is a GGUF for big-endian machines.`,
      'Get the usual, little-endian file.',
    );
  }
  throw invalid(
    `${file.path} is a GGUF of version ${version}; versions 2 and 3 are known.`,
    'Get the model in version 3, or a newer Vivarium.',
  );
}

async function readTensor(cursor: Cursor, path: string): Promise<GgufTensor> {
  const name = await cursor.text();
  if (name === null) throw damaged(path, 'a tensor has an impossible name');
  const sides = await cursor.u32();
  if (sides > MAX_SIDES) throw damaged(path, `a tensor has ${sides} dimensions`);
  let numbers = 1;
  let row = 1;
  for (let side = 0; side < sides; side += 1) {
    const length = await cursor.u64();
    if (side === 0) row = length;
    numbers *= length;
  }
  if (!Number.isSafeInteger(numbers)) throw damaged(path, 'a tensor has an impossible size');
  const id = await cursor.u32();
  const offset = await cursor.u64();
  const type = tensorType(id);
  if (type === null) return { name, numbers, bytes: null, type: `type ${id}`, offset };
  if (row % type.blockNumbers !== 0) {
    throw damaged(path, `the rows of a tensor do not fit its type ${type.name}`);
  }
  const bytes = (numbers / type.blockNumbers) * type.blockBytes;
  return { name, numbers, bytes, type: type.name, offset };
}

function alignmentOf(path: string, metadata: Metadata): number {
  const stated = metadata.has('general.alignment')
    ? numberOf(metadata, 'general.alignment')
    : DEFAULT_ALIGNMENT;
  if (stated !== null && stated >= 1 && stated <= 65_536 && Number.isInteger(stated)) return stated;
  throw damaged(path, 'its alignment makes no sense');
}

function checkBounds(
  file: PiecewiseFile,
  headerEnd: number,
  alignment: number,
  tensors: readonly GgufTensor[],
): void {
  const start = Math.ceil(headerEnd / alignment) * alignment;
  const room = file.bytes - start;
  const inOrder = tensors.toSorted((a, b) => a.offset - b.offset);
  let end = 0;
  for (const tensor of inOrder) {
    const wanted = tensor.offset + (tensor.bytes ?? 1);
    if (wanted > room) {
      throw damaged(
        file.path,
        `it has ${file.bytes} bytes, its header speaks of at least ${start + wanted}`,
      );
    }
    if (tensor.offset < end) throw damaged(file.path, 'two tensors overlap');
    if (tensor.offset % alignment !== 0) {
      throw damaged(file.path, 'a tensor starts where none can start');
    }
    end = wanted;
  }
}
