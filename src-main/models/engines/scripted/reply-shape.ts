import type { ScriptReply, ScriptUsage } from './format.ts';

/** Small enough that every longer text arrives in several pieces, as from a real server. */
const PIECE_CHARS = 24;

interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** The whole reply as one chat completion. */
export function toCompletionBody(reply: ScriptReply, model: string, index: number): object {
  const calls = wireCalls(reply, index);
  return {
    ...envelope(model, index, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.content ?? null,
          ...(reply.reasoning_content ? { reasoning_content: reply.reasoning_content } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishReason(reply),
      },
    ],
    ...(reply.usage ? { usage: wireUsage(reply.usage) } : {}),
  };
}

/** The reply as the chunks of a stream: reasoning, content, calls, finish reason, usage. */
export function toChunks(reply: ScriptReply, model: string, index: number): object[] {
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  for (const text of pieces(reply.reasoning_content ?? '')) {
    deltas.push({ reasoning_content: text });
  }
  for (const text of pieces(reply.content ?? '')) deltas.push({ content: text });
  for (const [at, call] of wireCalls(reply, index).entries()) deltas.push(...callDeltas(call, at));
  const head = envelope(model, index, 'chat.completion.chunk');
  const chunks: object[] = deltas.map((delta) =>
    Object.assign({ choices: [{ index: 0, delta, finish_reason: null }] }, head),
  );
  chunks.push({
    ...head,
    choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }],
  });
  if (reply.usage) chunks.push({ ...head, choices: [], usage: wireUsage(reply.usage) });
  return chunks;
}

function callDeltas(call: WireCall, index: number): object[] {
  const { name, arguments: text } = call.function;
  const first = { index, id: call.id, type: 'function', function: { name, arguments: '' } };
  const rest = pieces(text).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((fragment) => ({ tool_calls: [fragment] }));
}

/** Ids are the same for the same place of a conversation, so that histories can be compared. */
function wireCalls(reply: ScriptReply, index: number): WireCall[] {
  return (reply.tool_calls ?? []).map((call, at) => {
    const { name, arguments: given } = 'function' in call ? call.function : call;
    return {
      id: call.id ?? `call_${String(index)}_${String(at)}`,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    };
  });
}

function wireUsage(usage: ScriptUsage): object {
  const { prompt_tokens, completion_tokens, cached_tokens } = usage;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
  };
}

function finishReason(reply: ScriptReply): string {
  if (reply.finish_reason) return reply.finish_reason;
  return reply.tool_calls && reply.tool_calls.length > 0 ? 'tool_calls' : 'stop';
}

function envelope(model: string, index: number, object: string): object {
  return { id: `scripted-${String(index)}`, object, created: 0, model };
}

function pieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / PIECE_CHARS);
  return Array.from({ length: count }, (_, at) =>
    characters.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS).join(''),
  );
}
