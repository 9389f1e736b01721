import { ReplyTooLongError } from './collect.ts';

/** An event of a stream holds one piece of a reply; the longest true ones are whole tool calls. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** A whole reply with the likeliest tokens beside each of its own: about 2 KB a token. */
const MAX_REPLY_BYTES = 128 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * Breaks off a stream whose line does not end: the reader of events keeps a line until it is whole,
 * so a server could fill our memory with a single one.
 */
export function boundLines(response: Response): Response {
  return bounded(response, MAX_LINE_BYTES, new ReplyTooLongError(), (bytes, chunk) => {
    const end = chunk.lastIndexOf(LINE_FEED);
    return end === -1 ? bytes + chunk.length : chunk.length - end - 1;
  });
}

/** Breaks off a whole reply that does not end. */
export function boundReply(response: Response): Response {
  const tooLong = new ReplyTooLongError(`${String(MAX_REPLY_BYTES)} bytes`);
  return bounded(response, MAX_REPLY_BYTES, tooLong, (bytes, chunk) => bytes + chunk.length);
}

function bounded(
  response: Response,
  maxBytes: number,
  tooLong: Error,
  count: (bytes: number, chunk: Uint8Array) => number,
): Response {
  let bytes = 0;
  const guard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes = count(bytes, chunk);
      if (bytes > maxBytes) throw tooLong;
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(guard) ?? null, {
    status: response.status,
    headers: response.headers,
  });
}
