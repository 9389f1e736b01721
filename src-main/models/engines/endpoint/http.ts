import { createHttpFetch, type Fetch } from '../../client/http-fetch.ts';

/** How to ask a server for facts about itself. */
export interface Probe {
  /** Status and parsed body; `null` body when it is not JSON. Rejects when nothing answers. */
  get(url: string): Promise<{ status: number; body: unknown; text: string }>;
}

/** A server that is alive tells about itself at once; this is not a limit for prefills. */
const PROBE_TIMEOUT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;

export function createProbe(
  headers: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  /** For those who ask often: connections that are kept, and a shorter limit. */
  options: { send?: Fetch; timeoutMs?: number } = {},
): Probe {
  const send = options.send ?? createHttpFetch();
  const timeoutMs = options.timeoutMs ?? PROBE_TIMEOUT_MS;
  return {
    async get(url) {
      const asked = new URL(url);
      for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value);
      const limit = AbortSignal.timeout(timeoutMs);
      const both = signal ? AbortSignal.any([signal, limit]) : limit;
      try {
        return await read(send, asked, headers, both);
      } catch (error) {
        signal?.throwIfAborted();
        if (limit.aborted)
          throw new Error(`no answer within ${String(timeoutMs / 1000)} s`, { cause: error });
        throw error;
      }
    },
  };
}

async function read(
  send: Fetch,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown; text: string }> {
  const response = await send(url, { headers: { ...headers }, signal });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the answer is too large for a model server');
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.status, body: parseJson(text), text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
