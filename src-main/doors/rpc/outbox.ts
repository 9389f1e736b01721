import { MAX_SERVER_FRAME_CHARS, type ServerFrame } from '../../contract/index.ts';
import type { Connection } from './connection.ts';
import { AnswerFault } from './error-frame.ts';

/**
 * Frames that wait for a client to read. A client in order has at most an answer per open call and
 * the replies to its pings; one that asks and never reads is cut off.
 */
const MAX_WAITING = 1024;

export interface Outbox {
  /** Resolves when the frame has left; throws `AnswerFault` at once when it cannot be written. */
  send(frame: ServerFrame): Promise<void>;
}

export function createOutbox(connection: Connection): Outbox {
  let waiting = 0;
  return {
    send(frame) {
      const text = encode(frame);
      waiting += 1;
      if (waiting > MAX_WAITING) connection.close('too many answers wait to be read');
      return connection.send(text).finally(() => (waiting -= 1));
    },
  };
}

function encode(frame: ServerFrame): string {
  let text: string;
  try {
    text = JSON.stringify(frame);
  } catch (cause) {
    throw new AnswerFault(`a ${frame.type} cannot be written as JSON`, { cause });
  }
  if (text.length <= MAX_SERVER_FRAME_CHARS) return text;
  throw new AnswerFault(`a ${frame.type} is longer than ${MAX_SERVER_FRAME_CHARS} characters`);
}
