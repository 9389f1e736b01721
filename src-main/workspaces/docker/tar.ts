import { VivariumError } from '../../lib/index.ts';
import type { SeedEntry } from '../types.ts';

const BLOCK = 512;
const BATCH_BYTES = 1 << 20;
const TYPES = { '100644': '0', '100755': '0', '120000': '2', '40000': '5' } as const;
const MODES = { '100644': 0o644, '100755': 0o755, '120000': 0o777, '40000': 0o755 } as const;

/** Owner of everything in the repository: the user that the agent's commands run as. */
export const AGENT_UID = 1000;

/**
 * An uncompressed tar (ustar, with pax records where a name needs them) of the seed, in pieces of
 * about a megabyte. Missing parents are added, since the engine would make them owned by root.
 * @throws VivariumError `workspace_failed` for a path that does not stay below the root.
 */
export async function* seedTar(
  seed: AsyncIterable<SeedEntry>,
  onPath: (path: string, mode: SeedEntry['mode']) => void,
): AsyncGenerator<Buffer> {
  const folders = new Set<string>();
  let batch: Buffer[] = [];
  let size = 0;
  for await (const entry of seed) {
    checkSeedPath(entry.path);
    for (const block of [...parentBlocks(entry.path, folders), ...entryBlocks(entry, folders)]) {
      batch.push(block);
      size += block.length;
    }
    onPath(entry.path, entry.mode);
    if (size < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
  yield Buffer.concat([...batch, Buffer.alloc(2 * BLOCK)]);
}

function checkSeedPath(path: string): void {
  const parts = path.split('/');
  const bad = parts.some((part) => part === '' || part === '.' || part === '..');
  if (!bad && !path.includes('\0')) return;
  throw new VivariumError(
    'workspace_failed',
    `The snapshot names a path that cannot be placed in a workspace: ${JSON.stringify(path)}.`,
    'Rename that file in the repository.',
  );
}

function parentBlocks(path: string, folders: Set<string>): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (folders.has(folder)) continue;
    folders.add(folder);
    blocks.push(...header(`${folder}/`, '40000', 0, ''));
  }
  return blocks;
}

function entryBlocks(entry: SeedEntry, folders: Set<string>): Buffer[] {
  if (entry.mode === '40000') {
    if (folders.has(entry.path)) return [];
    folders.add(entry.path);
    return header(`${entry.path}/`, entry.mode, 0, '');
  }
  const content = Buffer.from(entry.content.buffer, entry.content.byteOffset, entry.content.length);
  if (entry.mode === '120000') return header(entry.path, entry.mode, 0, content);
  return [...header(entry.path, entry.mode, content.length, ''), content, padding(content.length)];
}

function padding(length: number): Buffer {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);
}

function header(
  path: string,
  mode: SeedEntry['mode'],
  size: number,
  link: Buffer | string,
): Buffer[] {
  const name = Buffer.from(path);
  const target = typeof link === 'string' ? Buffer.from(link) : link;
  const plain = name.length <= 100 && target.length <= 100 && isAscii(name) && isAscii(target);
  const main = headerBlock(name, TYPES[mode], MODES[mode], size, target);
  if (plain) return [main];
  const records = Buffer.concat([paxRecord('path', name), paxRecord('linkpath', target)]);
  const pax = headerBlock(Buffer.from('pax'), 'x', 0o644, records.length, Buffer.alloc(0));
  return [pax, records, padding(records.length), main];
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  if (value.length === 0) return Buffer.alloc(0);
  const rest = key.length + value.length + 3;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.concat([Buffer.from(`${length} ${key}=`), value, Buffer.from('\n')]);
}

function headerBlock(
  name: Buffer,
  type: string,
  mode: number,
  size: number,
  target: Buffer,
): Buffer {
  const block = Buffer.alloc(BLOCK);
  name.copy(block, 0, 0, 100);
  octal(block, 100, 8, mode);
  octal(block, 108, 8, AGENT_UID);
  octal(block, 116, 8, AGENT_UID);
  octal(block, 124, 12, size);
  octal(block, 136, 12, Math.floor(Date.now() / 1000));
  block.write(type, 156, 'latin1');
  target.copy(block, 157, 0, 100);
  block.write('ustar\u000000', 257, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function octal(block: Buffer, at: number, length: number, value: number): void {
  block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
}
