import type { ChatMessage, CompletionRequest, ToolCall } from '../types.ts';

/** Members that say how to sample, but for the seed. */
export const SAMPLING_PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'repetition_penalty',
] as const;

/** Members that ask for token ids and log-probabilities; `return_token_ids` is vLLM's and SGLang's. */
export const TOKEN_PARAMETERS = ['logprobs', 'return_token_ids'] as const;

/** Names of optional members of the request that a server may refuse and that can be left out. */
export const OPTIONAL_PARAMETERS = [
  ...SAMPLING_PARAMETERS,
  ...TOKEN_PARAMETERS,
  'seed',
  'chat_template_kwargs',
  'parallel_tool_calls',
  'tool_choice',
  'stream_options',
] as const;

export interface WireOptions {
  model: string;
  maxTokens: number;
  /** Members this server has refused before. */
  withheld: ReadonlySet<string>;
}

/** Body of a chat completion, streaming unless tokens are asked for. `top_k`, `min_p` and the like are extensions of local servers. */
export function toRequestBody(
  request: CompletionRequest,
  options: WireOptions,
): Record<string, unknown> {
  const { sampling, tools } = request;
  const body: Record<string, unknown> = {
    model: options.model,
    messages: request.messages.map(toWireMessage),
    stream: true,
    stream_options: { include_usage: true },
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    presence_penalty: sampling.presencePenalty,
    repetition_penalty: sampling.repetitionPenalty,
    seed: sampling.seed,
    chat_template_kwargs: sampling.templateArguments,
  };
  if (tools.length > 0) {
    body['tools'] = tools.map((tool) => ({ type: 'function', function: tool }));
    body['tool_choice'] = 'auto';
    body['parallel_tool_calls'] = true;
  }
  if (request.wantsTokens) for (const name of TOKEN_PARAMETERS) body[name] = true;
  for (const name of options.withheld) delete body[name];
  if (TOKEN_PARAMETERS.some((name) => name in body)) {
    delete body['stream'];
    delete body['stream_options'];
  }
  // Hosted reasoning models know only the newer name; local servers all know the older one.
  const limitName = options.withheld.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  body[limitName] = options.maxTokens;
  return body;
}

/** Histories only grow, so each message is converted once; a turn costs O(new messages). */
const converted = new WeakMap<ChatMessage, object>();

function toWireMessage(message: ChatMessage): object {
  const known = converted.get(message);
  if (known) return known;
  const wire = convert(message);
  converted.set(message, wire);
  return wire;
}

function convert(message: ChatMessage): object {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const { content, reasoning, toolCalls } = message;
  return {
    role: 'assistant',
    content,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(toolCalls && toolCalls.length > 0 ? { tool_calls: toolCalls.map(toWireCall) } : {}),
  };
}

function toWireCall(call: ToolCall): object {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: soundArguments(call.arguments) },
  };
}

/**
 * Servers parse the arguments of past calls to render their template and answer 400 or 500 to what is
 * not a JSON object. Scaffolds keep histories well-formed; this is the last line of defence (L01).
 */
function soundArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Not JSON: wrapped below.
  }
  return JSON.stringify({ malformed_arguments: text });
}
