import { pathArgument, textArgument } from '../arguments.ts';
import type { ToolContext, ToolOutcome } from '../outcome.ts';
import { success, valueError } from '../outcome.ts';
import { displayPath, linkNote, MAX_FILE_BYTES, writeFile } from '../places.ts';
import { countCharacters } from '../../text/clip.ts';
import { UTF8 } from '../../text/codecs.ts';
import type { TextFile } from '../../text/detect.ts';
import { readText } from '../../text/detect.ts';
import { isAllCrlf } from '../../text/lines.ts';

/** Writes a whole file. Over an existing one, its byte order mark, encoding and CRLF are kept. */
export async function write(
  args: Readonly<Record<string, unknown>>,
  { workspace, help }: ToolContext,
): Promise<ToolOutcome> {
  const given = pathArgument(args);
  const content = textArgument(args, 'content');
  const plain = UTF8.encode(content);
  if (!plain)
    throw valueError('content has half a character (a lone surrogate); nothing was written');
  const before = help ? await existing(workspace, given) : undefined;
  const kept = before ? keepForm(content, before) : { bytes: plain, help: [] };
  const written = await writeFile(workspace, given, kept.bytes);
  const shown = displayPath(workspace, given, written.realPath);
  return success(`Wrote ${shown} (${countCharacters(content)} bytes).`, {
    help: [...kept.help, ...linkNote(workspace, given, written.realPath)],
    mutated: true,
  });
}

/** `undefined` for a new file, and for one whose form can't or need not be kept. */
async function existing(
  workspace: ToolContext['workspace'],
  given: string,
): Promise<TextFile | undefined> {
  try {
    const read = await workspace.readFile(given, { maxBytes: MAX_FILE_BYTES });
    return read && read.totalBytes > 0 && read.totalBytes === read.bytes.length
      ? readText(read.bytes)
      : undefined;
  } catch {
    // The write itself names the fault.
    return undefined;
  }
}

/** Leaf would turn all of this into UTF-8 with LF without a word. */
function keepForm(content: string, before: TextFile): { bytes: Uint8Array; help: string[] } {
  const help: string[] = [];
  let text = content;
  if (isAllCrlf(before.text) && content.includes('\n') && !content.includes('\r')) {
    text = content.replaceAll('\n', '\r\n');
    help.push('The file had CRLF line ends and keeps them.');
  }
  let bom = before.bom;
  if (bom.length > 0) {
    text = text.replace(/^\ufeff/, '');
    help.push('The file had a byte order mark and keeps it.');
  }
  let body = before.codec.encode(text);
  if (!body) {
    body = Buffer.from(text, 'utf8');
    bom = new Uint8Array(0);
    help.push(`The file was ${before.codec.name}, which can't hold the new text; it is UTF-8 now.`);
  } else if (before.codec.name !== UTF8.name && /[^\0-\x7f]/.test(text)) {
    help.push(
      `The file was ${before.codec.name}${before.guessed ? ' (a guess from its bytes)' : ''} and stays so.`,
    );
  }
  return { bytes: Buffer.concat([bom, body]), help };
}
