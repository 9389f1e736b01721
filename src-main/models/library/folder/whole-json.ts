import { damaged } from '../invalid.ts';
import { withFile } from '../read-at.ts';

const CHUNK_BYTES = 1 << 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * That a JSON file starts as an object and ends with it. A tokenizer has 10 to 30 MB: parsing it
 * would stop the main process for a good part of a second, and what has to be found is a file that
 * was cut off.
 *
 * @throws VivariumError `model_file_invalid`
 */
export function checkWholeJson(path: string): Promise<void> {
  return withFile(path, async (file) => {
    const state = { depth: 0, inText: false, escaped: false, closed: false };
    for (let at = 0; at < file.bytes; at += CHUNK_BYTES) {
      const chunk = await file.readUpTo(at, CHUNK_BYTES);
      if (!scan(chunk, state, at === 0)) throw damaged(path, 'it is not valid JSON');
    }
    if (!state.closed)
      throw damaged(path, file.bytes === 0 ? 'it is empty' : 'its JSON ends early');
  });
}

interface State {
  depth: number;
  inText: boolean;
  escaped: boolean;
  closed: boolean;
}

/** `false` when something stands before or after the object, or it is none. */
function scan(chunk: Buffer, state: State, isFirst: boolean): boolean {
  const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
  for (let index = hasMark ? 3 : 0; index < chunk.length; index += 1) {
    const byte = chunk[index] ?? 0;
    if (state.inText) {
      if (state.escaped) state.escaped = false;
      else if (byte === BACKSLASH) state.escaped = true;
      else if (byte === QUOTE) state.inText = false;
      continue;
    }
    if (isBlank(byte)) continue;
    if (state.closed || (state.depth === 0 && byte !== 0x7b)) return false;
    if (byte === QUOTE) state.inText = true;
    else if (byte === 0x7b || byte === 0x5b) state.depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      state.depth -= 1;
      state.closed = state.depth === 0;
    }
  }
  return true;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
