import type { LlamaModel, Token } from 'node-llama-cpp';
import { newId } from '../../../../lib/index.ts';
import { parseCallsFromText } from '../../../../calls/index.ts';
import type { ChatRequest } from './chat-request.ts';
import type { PromptTemplate } from './chat-template.ts';
import type { Disarm } from './control-text.ts';
import { type Generated, generate } from './generate.ts';
import { contextOverflow } from './http-error.ts';
import type { FinishReason, ReplyWriter } from './reply.ts';
import { createReplySplitter } from './reply-splitter.ts';
import { samplingOptions } from './sampling.ts';
import type { SlotPool } from './slots.ts';

/** A loaded model with all it takes to answer chats. */
export interface ChatBackend {
  model: LlamaModel;
  template: PromptTemplate;
  disarm: Disarm;
  slots: SlotPool;
  /** Window of one conversation. */
  contextTokens: number;
  /** Prompt tokens evaluated at a time. */
  promptChunk: number;
}

/**
 * Answers one chat completion into `writer`.
 *
 * @throws HttpError when the prompt cannot be made or does not fit; the signal's reason on abort.
 */
export async function complete(
  backend: ChatBackend,
  request: ChatRequest,
  writer: ReplyWriter,
  signal: AbortSignal,
): Promise<void> {
  const { messages, mark } = backend.disarm(request.messages);
  const text = backend.template.render({ ...request, messages });
  const prompt = tokenizePrompt(backend.model, text.split(mark));
  if (prompt.length >= backend.contextTokens) {
    throw contextOverflow(prompt.length, backend.contextTokens);
  }
  const calls = wantsCalls(request);
  const splitter = createReplySplitter(writer, {
    thinking: text.trimEnd().endsWith('<think>'),
    calls,
  });
  writer.begin();
  const generated = await backend.slots.use(prompt, signal, (sequence) =>
    generate(sequence, {
      prompt,
      sampling: (recent) => samplingOptions(request, recent),
      stops: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
      maxTokens: request.max_completion_tokens ?? request.max_tokens ?? Infinity,
      contextTokens: backend.contextTokens,
      promptChunk: backend.promptChunk,
      signal,
      onText: splitter.push,
    }),
  );
  const found = writeCalls(splitter.end(), request, generated.finish, writer);
  writer.end(endOf(prompt.length, generated, found > 0));
}

/** Special tokens are recognised in each part; the start token is added only where it is missing. */
function tokenizePrompt(model: LlamaModel, parts: readonly string[]): Token[] {
  const tokens = parts.flatMap((part) => model.tokenize(part, true));
  const { bos, shouldPrependBosToken } = model.tokens;
  if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos);
  return tokens;
}

function wantsCalls(request: ChatRequest): boolean {
  return (request.tools ?? []).length > 0 && request.tool_choice !== 'none';
}

/**
 * Sends the calls of the text that was held back and returns how many there were. A text with any
 * fault, or cut at the limit, goes out as content as it is: only the client knows how its scaffold
 * mends or answers a faulty call, and it must be able to tell that it was one.
 */
function writeCalls(
  text: string,
  request: ChatRequest,
  finish: Generated['finish'],
  writer: ReplyWriter,
): number {
  if (text === '') return 0;
  const { calls, rest, notes, broken } = parseCallsFromText(text, toolNames(request));
  if (finish === 'length' || calls.length === 0 || notes.length > 0 || broken.length > 0) {
    writer.content(text);
    return 0;
  }
  if (rest !== '') writer.content(rest);
  for (const [index, call] of calls.entries()) {
    const { name, arguments: args } = call;
    writer.call(index, {
      id: `call_${newId()}`,
      type: 'function',
      function: { name, arguments: args },
    });
  }
  return calls.length;
}

function toolNames(request: ChatRequest): string[] {
  return (request.tools ?? []).flatMap((tool) => {
    const name = (tool['function'] as { name?: unknown } | undefined)?.name;
    return typeof name === 'string' ? [name] : [];
  });
}

function endOf(
  promptTokens: number,
  generated: Generated,
  called: boolean,
): Parameters<ReplyWriter['end']>[0] {
  const { cachedTokens, completionTokens } = generated;
  const finish: FinishReason = called ? 'tool_calls' : generated.finish;
  return {
    finish,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    },
    timings: {
      cache_n: cachedTokens,
      prompt_n: promptTokens - cachedTokens,
      prompt_ms: generated.promptMs,
      predicted_n: completionTokens,
      predicted_ms: generated.completionMs,
    },
  };
}
