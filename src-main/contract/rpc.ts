import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** A question with one answer. */
export interface CallShape<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  kind: 'call';
  input: I;
  output: O;
}

/** A question answered by items until it is done or cancelled; the last value may say how it ended. */
export interface StreamShape<
  I extends z.ZodType = z.ZodType,
  T extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  kind: 'stream';
  input: I;
  item: T;
  output: O;
}

export function call<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): CallShape<I, O> {
  return { kind: 'call', input, output };
}

export function stream<I extends z.ZodType, T extends z.ZodType, O extends z.ZodType>(
  input: I,
  item: T,
  output: O,
): StreamShape<I, T, O> {
  return { kind: 'stream', input, item, output };
}

const id = z.number().int().positive();

/** An error as it crosses a door: stable code, one-line cause, next step. */
export const errorFrameSchema = z.object({
  code: z.enum([
    ...(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    'bad_request',
    'cancelled',
    'timeout',
  ]),
  message: z.string(),
  next: z.string(),
});

/** What a client sends. Ids are the client's, ascending, never reused on a connection. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), id, name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('cancel'), id }),
  /** The client has taken `count` more items of a stream: room for as many new ones. */
  z.object({ type: z.literal('taken'), id, count: z.number().int().positive() }),
  z.object({ type: z.literal('ping') }),
]);

/** What a server sends. After `result` or `error` nothing more comes for an id. */
export const serverFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('item'), id, item: z.unknown() }),
  z.object({ type: z.literal('result'), id, output: z.unknown() }),
  /** `null`: the answer to a frame whose id could not be read. */
  z.object({ type: z.literal('error'), id: id.nullable(), error: errorFrameSchema }),
  z.object({ type: z.literal('pong') }),
]);

export type ErrorFrame = z.infer<typeof errorFrameSchema>;
export type ClientFrame = z.infer<typeof clientFrameSchema>;
export type ServerFrame = z.infer<typeof serverFrameSchema>;

/** Items a server may send before the client says that it took some. */
export const STREAM_WINDOW = 256;

/** Calls and streams that a connection may have open at a time; one more is a `bad_request`. */
export const MAX_OPEN_CALLS = 128;

/** Longest frame a client may send, in characters: an issue text of megabytes still fits. */
export const MAX_CLIENT_FRAME_CHARS = 4 * 1024 * 1024;

/** Longest frame a server may send, in characters: a patch of 64 MiB in base64 fits. */
export const MAX_SERVER_FRAME_CHARS = 96 * 1024 * 1024;
