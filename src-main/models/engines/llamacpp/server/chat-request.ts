import { z } from 'zod';

const textPart = z.object({ type: z.literal('text'), text: z.string() });

/** `content` may be text, parts of text, or missing beside tool calls; it is text from here on. */
const content = z
  .union([z.string(), z.array(textPart), z.null()])
  .optional()
  .transform((value) => {
    if (typeof value === 'string') return value;
    return value?.map((part) => part.text).join('') ?? '';
  });

const toolCall = z.object({
  id: z.string().optional(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string().default('') }),
});

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  name: z.string().optional(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().optional(),
});

const count = z.number().int().positive();

/** The part of an OpenAI chat completion request that this server knows; the rest is ignored. */
export const chatRequestSchema = z.object({
  model: z.string().optional(),
  messages: z.array(message).min(1),
  tools: z.array(z.record(z.string(), z.unknown())).nullish(),
  tool_choice: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: count.nullish(),
  max_completion_tokens: count.nullish(),
  temperature: z.number().min(0).max(10).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  seed: z.number().int().nullish(),
  repetition_penalty: z.number().positive().nullish(),
  repeat_penalty: z.number().positive().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  /** Whole replies only, as are `return_token_ids`. */
  logprobs: z.boolean().nullish(),
  return_token_ids: z.boolean().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type RequestMessage = ChatRequest['messages'][number];
