import { randomBytes } from 'node:crypto';
import { messageOf, openPlainFile, sha256, VivariumError } from '../../../lib/index.ts';
import { createChatModel } from '../../client.ts';
import type { ModelHandle } from '../../types.ts';
import { parseScript, type Script } from './format.ts';
import { serveScript } from './server.ts';

/** Far beyond any script written by hand; a wrong file is refused before it is read. */
const MAX_SCRIPT_BYTES = 64 * 1024 * 1024;

/**
 * Opens a model whose replies come from a JSONL file (see `docs/scripted-model.md`), served over the
 * same HTTP API as a real one.
 * @throws VivariumError `script_invalid`
 */
export async function openScripted(
  file: string,
  options: { spec: string; signal?: AbortSignal },
): Promise<ModelHandle> {
  const bytes = await readScript(file);
  options.signal?.throwIfAborted();
  const script = parseScript(bytes.toString('utf8'), file);
  const key = randomBytes(24).toString('base64url');
  const server = await serveScript(script, key);
  return {
    chat: createChatModel({
      baseUrl: `http://127.0.0.1:${String(server.port)}/v1`,
      apiKey: key,
      secrets: [key],
      model: script.model,
      contextTokens: script.contextTokens,
    }),
    info: {
      engine: 'scripted',
      name: script.model,
      spec: options.spec,
      contextTokens: script.contextTokens,
      sha256: sha256(bytes),
      details: { replies: countReplies(script) },
    },
    pid: null,
    gone: async () => null,
    close: () => server.close(),
  };
}

async function readScript(file: string): Promise<Buffer> {
  try {
    await using handle = await openPlainFile(file);
    const { size } = await handle.stat();
    if (size > MAX_SCRIPT_BYTES) {
      throw new Error(`it is larger than ${String(MAX_SCRIPT_BYTES)} bytes`);
    }
    return await handle.readFile();
  } catch (error) {
    throw new VivariumError(
      'script_invalid',
      `the script ${file} can't be read: ${messageOf(error)}`,
      'Check the path after "script:".',
      error,
    );
  }
}

function countReplies(script: Script): number {
  const turns = script.sections.flatMap(({ turns }) => turns);
  return turns.filter((turn) => turn.reply !== null).length;
}
