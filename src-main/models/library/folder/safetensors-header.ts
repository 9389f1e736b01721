import { z } from 'zod';
import { damaged } from '../invalid.ts';
import { kindOfHead, refuseKind } from '../content-kind.ts';
import { type PiecewiseFile, withFile } from '../read-at.ts';

/** The limit of the safetensors library itself. */
const MAX_HEADER_BYTES = 100_000_000;

/** Bits of each type of the format; sub-byte ones are padded to whole bytes by their writers. */
const BITS: Readonly<Record<string, number>> = {
  BOOL: 8,
  U8: 8,
  I8: 8,
  F8_E5M2: 8,
  F8_E4M3: 8,
  F8_E8M0: 8,
  U16: 16,
  I16: 16,
  F16: 16,
  BF16: 16,
  U32: 32,
  I32: 32,
  F32: 32,
  U64: 64,
  I64: 64,
  F64: 64,
  C64: 64,
  F4: 4,
  F6_E2M3: 6,
  F6_E3M2: 6,
};

const tensorSchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

export interface SafeTensor {
  name: string;
  dtype: string;
  numbers: number;
  bytes: number;
}

/**
 * The header of one safetensors file, checked as the safetensors library does when it opens one:
 * its length, its JSON, and that the tensors fill the file from end to end without a gap.
 *
 * @throws VivariumError `model_file_invalid`
 */
export function readSafetensorsHeader(path: string): Promise<SafeTensor[]> {
  return withFile(path, async (file) => {
    await checkKind(file);
    const length = Number((await file.read(0, 8)).readBigUInt64LE());
    if (length > MAX_HEADER_BYTES) throw damaged(path, 'its header states an impossible length');
    const header = parseHeader(path, (await file.read(8, length)).toString('utf8'));
    const tensors: (SafeTensor & { from: number; to: number })[] = [];
    for (const [name, value] of Object.entries(header)) {
      if (name !== '__metadata__') tensors.push(readTensor(path, name, value));
    }
    checkFills(file, 8 + length, tensors);
    return tensors.map(({ name, dtype, numbers, bytes }) => ({ name, dtype, numbers, bytes }));
  });
}

/** Files that only have the name of weights are named for what they are. */
async function checkKind(file: PiecewiseFile): Promise<void> {
  const kind = kindOfHead(await file.readUpTo(0, 512), file.bytes);
  if (kind === 'safetensors' || kind === 'unknown') return;
  if (kind === 'text' && file.bytes <= 8) throw damaged(file.path, 'it ends within its header');
  throw refuseKind(file.path, kind);
}

function parseHeader(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    throw damaged(path, 'its header is not valid JSON', fault);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (parsed.success && !Array.isArray(value)) return parsed.data;
  throw damaged(path, 'its header is not a JSON object');
}

function readTensor(
  path: string,
  name: string,
  value: unknown,
): SafeTensor & { from: number; to: number } {
  const parsed = tensorSchema.safeParse(value);
  if (!parsed.success) throw damaged(path, 'the entry of a tensor makes no sense', parsed.error);
  const { dtype, shape, data_offsets: offsets } = parsed.data;
  const [from, to] = offsets;
  const numbers = shape.reduce((product, side) => product * side, 1);
  const bits = BITS[dtype];
  const fits = bits === undefined ? to >= from : to - from === Math.ceil((numbers * bits) / 8);
  if (!Number.isSafeInteger(numbers) || !fits) {
    throw damaged(path, 'the size of a tensor does not fit its shape');
  }
  return { name, dtype, numbers, bytes: to - from, from, to };
}

function checkFills(
  file: PiecewiseFile,
  start: number,
  tensors: readonly { from: number; to: number }[],
): void {
  let end = 0;
  for (const { from, to } of tensors.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end) throw damaged(file.path, 'there is a gap or an overlap between its tensors');
    end = to;
  }
  const wanted = start + end;
  if (wanted === file.bytes) return;
  throw damaged(file.path, `it has ${file.bytes} bytes, its header speaks of ${wanted}`);
}
