import { invalid } from './invalid.ts';
import { withFile } from './read-at.ts';

export type ContentKind =
  | 'gguf'
  | 'safetensors'
  | 'empty'
  | 'lfs pointer'
  | 'pickle'
  | 'zip'
  | 'archive'
  | 'web page'
  | 'json'
  | 'text'
  | 'ggml'
  | 'unknown';

const HEAD_BYTES = 512;

/** What a file is, by its first bytes, whatever its name. @throws VivariumError when unreadable. */
export async function contentKind(path: string): Promise<ContentKind> {
  return withFile(path, async (file) => kindOfHead(await file.readUpTo(0, HEAD_BYTES), file.bytes));
}

/** @param head the first 512 bytes, or all of a shorter file */
export function kindOfHead(head: Buffer, bytes: number): ContentKind {
  if (bytes === 0) return 'empty';
  const text = head.toString('latin1');
  if (text.startsWith('GGUF')) return 'gguf';
  if (/^version https:\/\/[^\n]*git-lfs/.test(text)) return 'lfs pointer';
  if (head.length > 9 && /^\s*\{/.test(text.slice(8)) && isHeaderLength(head, bytes)) {
    return 'safetensors';
  }
  // PyTorch's present format is a zip archive with a pickle in it.
  if (text.startsWith('PK\u0003\u0004')) return text.includes('data.pkl') ? 'pickle' : 'zip';
  if (head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5) return 'pickle';
  if (isArchive(head, text)) return 'archive';
  if (/^(?:tjgg|fmgg|lmgg|algg)/.test(text)) return 'ggml';
  if (/^\s*<(?:!doctype|html)/i.test(text)) return 'web page';
  if (/^\s*[{[]/.test(text)) return 'json';
  return /^[\t\n\f\r\u0020-\u007e\u0080-\u00ff]*$/.test(text) ? 'text' : 'unknown';
}

/** The format allows a header of 100 MB at most; a cut file still has the length of the whole. */
function isHeaderLength(head: Buffer, bytes: number): boolean {
  const length = head.readBigUInt64LE(0);
  return length >= 2n && length <= 100_000_000n && bytes > 8;
}

function isArchive(head: Buffer, text: string): boolean {
  return (
    text.slice(257, 262) === 'ustar' ||
    text.startsWith('7z\u00bc\u00af') ||
    text.startsWith('Rar!') ||
    text.startsWith('\u00fd7zXZ') ||
    text.startsWith('BZh') ||
    text.startsWith('(\u00b5/\u00fd') ||
    (head[0] === 0x1f && head[1] === 0x8b)
  );
}

/** Why a file that is given as a model, or stands where weights should be, cannot be one. */
export function refuseKind(path: string, kind: ContentKind): Error {
  const [what, next] = REFUSALS[kind];
  return invalid(`${path} ${what}.`, next);
}

const GIVE_A_MODEL =
  'Give a GGUF file, or the folder of a model with config.json and safetensors files.';

const REFUSALS: Readonly<Record<ContentKind, [what: string, next: string]>> = {
  gguf: ['is a GGUF file', 'Give the file itself.'],
  safetensors: ['is one file of a model', 'Give the folder that holds it and its config.json.'],
  empty: ['is empty', 'Copy the file again from where it came from.'],
  'lfs pointer': [
    'is a Git LFS pointer: a note where the weights should be, as a git clone without LFS leaves it',
    'Run "git lfs pull" in that folder on a machine with a network, and copy the result.',
  ],
  pickle: [
    'is a Python pickle (PyTorch), which can run any program when it is loaded',
    'Convert the model to safetensors on a machine you can lose, or get it as safetensors or GGUF.',
  ],
  zip: ['is a zip archive', 'Unpack it and give the folder, or the GGUF file, that was in it.'],
  archive: ['is a packed archive', 'Unpack it and give the folder, or the GGUF file, in it.'],
  'web page': [
    'is a web page, not a model: a download that asked to log in, for example',
    'Get the file again from where the model is published.',
  ],
  json: ['is a JSON file, not a model', GIVE_A_MODEL],
  text: ['is a text file, not a model', GIVE_A_MODEL],
  ggml: [
    'is in the GGML format of 2023, which llama.cpp no longer reads',
    'Get the model as GGUF, or convert it again from its safetensors.',
  ],
  unknown: ['is neither a GGUF nor a safetensors file', GIVE_A_MODEL],
};
