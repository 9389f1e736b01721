import { ReplyTooLongError } from './collect.ts';

/** An event of a stream holds one piece of a reply; the longest true ones are whole tool calls. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Breaks off a stream whose line does not end: the reader of events keeps a line until it is whole,
 * so a server could fill our memory with a single one.
 */
export function boundLines(response: Response): Response {
  let bytes = 0;
  const guard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(LINE_FEED);
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end - 1;
      if (bytes > MAX_LINE_BYTES) throw new ReplyTooLongError();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(guard) ?? null, {
    status: response.status,
    headers: response.headers,
  });
}
