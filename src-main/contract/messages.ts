import { z } from 'zod';

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** A message of the history, in the app's own shape (see `models/types.ts`). */
export const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    reasoning: z.string().optional(),
    toolCalls: z.array(toolCall).optional(),
  }),
  z.object({
    role: z.literal('tool'),
    toolCallId: z.string(),
    name: z.string(),
    content: z.string(),
  }),
]);

const numbers = z.array(z.number()).nullable();

/** Tokens of a turn as its server named them; `null` = it did not. */
export const turnTokensSchema = z.object({
  prompt: numbers,
  /** Of the reply, as it was sampled. */
  completion: numbers,
  /** Natural logarithms, one for each token of the reply. */
  logprobs: numbers,
});

/** What a call of a step came to, without the text that the model saw: that is a message. */
export const observationSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  isError: z.boolean(),
  durationMs: z.number(),
  notes: z.array(z.string()),
  /** JSON, where the call stands in the reply's text and in no `toolCalls` of its message. */
  arguments: z.string().optional(),
  /** Bash only. The raw bytes kept are blobs: head, then tail. */
  run: z
    .object({
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
      timedOut: z.boolean(),
      outOfMemory: z.boolean(),
      stdout: z.object({ bytes: z.number(), head: z.string(), tail: z.string().nullable() }),
      stderr: z.object({ bytes: z.number(), head: z.string(), tail: z.string().nullable() }),
    })
    .optional(),
});
