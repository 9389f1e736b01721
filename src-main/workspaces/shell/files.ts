import type { VivariumError } from '../../lib/index.ts';
import type { FileRead, FileStat, FoundFile } from '../types.ts';
import { boundedChunks } from './bounded-output.ts';
import type { Channel } from './channel.ts';
import { pathError, shellWord, splitPath, type SplitPath } from './quote.ts';
import { READ_BLOCK_BYTES } from './shell-functions.ts';

/** Copy of a file while it is overwritten, to put it back when the disk is full. */
const KEEP_FILE = '/tmp/.vivarium-keep';
/** File work is a matter of milliseconds; a shell silent for so long was stopped or is stuck. */
export const FILE_SILENCE_MS = 10_000;
const MAX_PATH_BYTES = 65_536;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const KIND_MASK = 0xf000;
const KINDS: Readonly<Record<number, FileStat['kind']>> = {
  0x4000: 'folder',
  0x8000: 'file',
  0xa000: 'symlink',
};

/** What file work of one workspace shares. */
export interface FileState {
  root: string;
  home: string;
  /** Runs `work` on the file channel, again on a new one if the shell died under it. */
  withChannel: <T>(work: (channel: Channel) => Promise<T>) => Promise<T>;
}

interface Reply {
  words: string[];
  stdout: Buffer;
  stderr: Buffer;
}

export async function readFile(
  state: FileState,
  path: string,
  maxBytes = DEFAULT_MAX_BYTES,
): Promise<FileRead | undefined> {
  const at = splitPath(path, state.root, state.home);
  const limit = { maxBytes: maxBytes + READ_BLOCK_BYTES };
  const reply = await ask(state, `vv_read ${atWords(at)} ${maxBytes}`, limit);
  const [result, mode = '', size] = reply.words;
  if (result === 'none') return undefined;
  if (result !== 'ok') throw refusal(path, result, 'read');
  return {
    bytes: reply.stdout.subarray(0, maxBytes),
    // Files of /proc have size 0 and content.
    totalBytes: Math.max(Number(size), reply.stdout.length),
    realPath: reply.stderr.toString(),
    mode: Number.parseInt(mode, 8),
  };
}

export async function writeFile(
  state: FileState,
  path: string,
  content: Uint8Array,
): Promise<{ created: boolean; realPath: string }> {
  const at = splitPath(path, state.root, state.home);
  if (at.name === '.') throw refusal(path, 'folder', 'written');
  const code = `vv_write ${atWords(at)} ${content.length} ${KEEP_FILE}`;
  const reply = await ask(state, code, { payload: content });
  const [result, how] = reply.words;
  if (result !== 'ok') throw refusal(path, result, 'written');
  return { created: how === 'created', realPath: reply.stderr.toString() };
}

export async function statPath(state: FileState, path: string): Promise<FileStat | undefined> {
  const at = splitPath(path, state.root, state.home);
  const reply = await ask(state, `vv_stat ${atWords(at)}`);
  const [result, modeText = '', size] = reply.words;
  if (result === 'none' || result === 'notdir') return undefined;
  if (result !== 'ok') throw refusal(path, result, 'looked at');
  const mode = Number.parseInt(modeText, 16);
  return {
    kind: KINDS[mode & KIND_MASK] ?? 'other',
    size: Number(size),
    mode: mode & 0o7777,
    ...(reply.stderr.length > 0 ? { target: reply.stderr.toString() } : {}),
  };
}

export async function listFolder(
  state: FileState,
  path: string,
  maxEntries: number,
): Promise<{ entries: FoundFile[]; complete: boolean } | undefined> {
  const at = splitPath(path, state.root, state.home);
  const maxBytes = maxEntries * 256 + 65_536;
  const reply = await ask(state, `vv_list ${atWords(at)} ${maxBytes}`, { maxBytes });
  const [result] = reply.words;
  if (result === 'none') return undefined;
  if (result !== 'ok') throw refusal(path, result, 'listed');
  const names = reply.stdout.toString().split('\0');
  // Whatever follows the last NUL was cut off by the limit.
  const cut = names.pop() !== '';
  const entries = names.slice(0, maxEntries).map((name): FoundFile => {
    return { path: name.slice(1), kind: FOUND_KINDS[name.charAt(0)] ?? 'other' };
  });
  return { entries, complete: !cut && names.length <= maxEntries };
}

const FOUND_KINDS: Readonly<Record<string, FoundFile['kind']>> = {
  d: 'folder',
  f: 'file',
  l: 'symlink',
};

function atWords(at: SplitPath): string {
  return `${shellWord(at.folder)} ${shellWord(at.name)}`;
}

function ask(
  state: FileState,
  code: string,
  options: { payload?: Uint8Array; maxBytes?: number } = {},
): Promise<Reply> {
  return state.withChannel(async (channel) => {
    // The limits inside hold for honest programs; these hold whatever writes into the channel.
    const stdout = boundedChunks(options.maxBytes ?? 0, () => channel.destroy());
    const stderr = boundedChunks(MAX_PATH_BYTES, () => channel.destroy());
    const status = await channel.request({
      code,
      silenceMs: FILE_SILENCE_MS,
      ...(options.payload ? { payload: options.payload } : {}),
      onStdout: stdout.push,
      onStderr: stderr.push,
    });
    // Unknown how much of the payload is still in the pipe: only a new shell is safe.
    if (status === 'broken') channel.destroy();
    return { words: status.split(' '), stdout: stdout.bytes(), stderr: stderr.bytes() };
  });
}

const REASONS: Readonly<Record<string, string>> = {
  denied: 'permission is denied',
  uncreatable: 'it cannot be created there (permission, its name, or no room for more files)',
  notdir: 'a part of its path is not a folder',
  none: 'it does not exist',
  folder: 'it is a folder',
  special: 'it is a pipe, socket or device',
  dangling: 'it is a link that leads nowhere',
  parent: 'its folder cannot be made',
  full: 'there is no room left for a safety copy',
  broken: 'the disk of the workspace is full or its memory ran out; the old content was kept',
};

function refusal(path: string, why: string | undefined, verb: string): VivariumError {
  const reason = REASONS[why ?? ''] ?? 'the workspace gave no usable answer';
  return pathError(`${JSON.stringify(path)} cannot be ${verb}: ${reason}.`);
}
