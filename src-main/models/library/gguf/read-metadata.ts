import { damaged } from '../invalid.ts';
import type { Cursor } from './cursor.ts';

/** Lists that are longer (vocabularies) are counted, not kept. */
const MAX_KEPT_ITEMS = 4_096;
const MAX_ITEMS = 8_000_000;
const MAX_PAIRS = 10_000;

export interface CountedList {
  count: number;
}
export type Scalar = number | boolean | string;
export type MetadataValue = Scalar | Scalar[] | CountedList | null;
export type Metadata = ReadonlyMap<string, MetadataValue>;

const TEXT = 8;
const LIST = 9;

/** Fixed-size values, by the type numbers of the GGUF specification. */
const FIXED: Readonly<Record<number, { bytes: number; read: (from: Buffer) => Scalar }>> = {
  0: { bytes: 1, read: (from) => from.readUInt8() },
  1: { bytes: 1, read: (from) => from.readInt8() },
  2: { bytes: 2, read: (from) => from.readUInt16LE() },
  3: { bytes: 2, read: (from) => from.readInt16LE() },
  4: { bytes: 4, read: (from) => from.readUInt32LE() },
  5: { bytes: 4, read: (from) => from.readInt32LE() },
  6: { bytes: 4, read: (from) => from.readFloatLE() },
  7: { bytes: 1, read: (from) => from.readUInt8() !== 0 },
  10: { bytes: 8, read: (from) => Number(from.readBigUInt64LE()) },
  11: { bytes: 8, read: (from) => Number(from.readBigInt64LE()) },
  12: { bytes: 8, read: (from) => from.readDoubleLE() },
};

/** The pairs of the header. @throws VivariumError `model_file_invalid` when they make no sense. */
export async function readMetadata(cursor: Cursor, path: string, count: number): Promise<Metadata> {
  if (count > MAX_PAIRS) throw damaged(path, `its header states ${count} metadata entries`);
  const found = new Map<string, MetadataValue>();
  for (let index = 0; index < count; index += 1) {
    const key = await cursor.text();
    if (key === null) throw damaged(path, 'a metadata entry has an impossible name');
    const type = await cursor.u32();
    found.set(key, await readValue(cursor, path, type));
  }
  return found;
}

async function readValue(cursor: Cursor, path: string, type: number): Promise<MetadataValue> {
  if (type === TEXT) return cursor.text();
  if (type === LIST) return readList(cursor, path);
  const fixed = FIXED[type];
  if (fixed === undefined) throw damaged(path, `a metadata entry has the unknown type ${type}`);
  await cursor.ensure(fixed.bytes);
  return fixed.read(cursor.take(fixed.bytes));
}

async function readList(cursor: Cursor, path: string): Promise<MetadataValue> {
  const type = await cursor.u32();
  const count = await cursor.u64();
  if (count > MAX_ITEMS) throw damaged(path, `a list in its header states ${count} items`);
  if (type === TEXT) return readTexts(cursor, path, count);
  const fixed = FIXED[type];
  if (fixed === undefined) throw damaged(path, `a list in its header has the unknown type ${type}`);
  if (count > MAX_KEPT_ITEMS) {
    cursor.skip(count * fixed.bytes);
    return { count };
  }
  const items: Scalar[] = [];
  for (let index = 0; index < count; index += 1) {
    await cursor.ensure(fixed.bytes);
    items.push(fixed.read(cursor.take(fixed.bytes)));
  }
  return items;
}

async function readTexts(cursor: Cursor, path: string, count: number): Promise<MetadataValue> {
  if (count > MAX_KEPT_ITEMS) return passTexts(cursor, path, count);
  const items: string[] = [];
  for (let index = 0; index < count; index += 1) items.push((await cursor.text()) ?? '');
  return items;
}

/** A vocabulary has some 100,000 texts: awaiting each of them would take seconds. */
async function passTexts(cursor: Cursor, path: string, count: number): Promise<CountedList> {
  for (let index = 0; index < count; index += 1) {
    const moving = cursor.ensure(8);
    if (moving !== undefined) await moving;
    const length = cursor.take(8).readBigUInt64LE();
    if (length > 0xffff_ffffn) throw damaged(path, 'a text in its header has an impossible length');
    cursor.skip(Number(length));
  }
  return { count };
}

export function textOf(metadata: Metadata, key: string): string | null {
  const value = metadata.get(key);
  return typeof value === 'string' ? value : null;
}

export function numberOf(metadata: Metadata, key: string): number | null {
  const value = metadata.get(key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Length of a list, kept or only counted; `null` when there is none. */
export function lengthOf(metadata: Metadata, key: string): number | null {
  const value = metadata.get(key);
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? value.count : null;
}

/** The value for one layer: lists hold one for each, a single value holds for all. */
export function numberAt(metadata: Metadata, key: string, layer: number): number | null {
  const value = metadata.get(key);
  if (!Array.isArray(value)) return numberOf(metadata, key);
  const item = value[layer];
  return typeof item === 'boolean' ? Number(item) : typeof item === 'number' ? item : null;
}
