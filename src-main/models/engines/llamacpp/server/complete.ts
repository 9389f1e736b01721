import {
  LlamaGrammarEvaluationState,
  type LlamaGrammar,
  type LlamaModel,
  type Token,
} from 'node-llama-cpp';
import { newId } from '../../../../lib/index.ts';
import { parseCallsFromText } from '../../../../calls/index.ts';
import { callGrammar, type CallStyle, forcedCalls, toolNames } from './call-grammar.ts';
import type { ChatRequest } from './chat-request.ts';
import type { PromptTemplate } from './chat-template.ts';
import type { Disarm } from './control-text.ts';
import { type Generated, generate } from './generate.ts';
import { contextOverflow } from './http-error.ts';
import { createMeter, type Meter, perSecond } from './meter.ts';
import type { ProbeSlot } from './probe-slot.ts';
import type { FinishReason, ReplyWriter } from './reply.ts';
import { createReplySplitter } from './reply-splitter.ts';
import { samplingOptions } from './sampling.ts';
import type { SlotPool } from './slots.ts';
import { createTokenLog } from './token-log.ts';

/** A loaded model with all it takes to answer chats. */
export interface ChatBackend {
  model: LlamaModel;
  template: PromptTemplate;
  disarm: Disarm;
  slots: SlotPool;
  /** For requests of one token, which must not push a conversation out of memory. */
  probe: ProbeSlot;
  meter: Meter;
  /** Window of one conversation. */
  contextTokens: number;
  /** Conversations at a time. */
  parallel: number;
  /** Prompt tokens evaluated at a time. */
  promptChunk: number;
  /** New tokens of a request that names no limit; `null` = what the window leaves. */
  tokensPerTurn: number | null;
  prefixCaching: boolean;
  callStyle: CallStyle;
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
  const arrivedAt = performance.now();
  const forced = forcedCalls(request);
  const { messages, mark } = backend.disarm(request.messages);
  const text = backend.template.render({ ...request, messages });
  const prompt = tokenizePrompt(backend.model, text.split(mark));
  if (prompt.length >= backend.contextTokens) {
    throw contextOverflow(prompt.length, backend.contextTokens);
  }
  const log = createTokenLog(request, backend.model, prompt);
  const thinking = text.trimEnd().endsWith('<think>');
  const splitter = createReplySplitter(writer, { thinking, calls: wantsCalls(request) });
  const grammar = forced && (await grammarFor(backend, request, { names: forced, thinking }));
  const maxTokens = limitOf(request, backend);
  const pool = await backend.probe.poolFor(prompt.length, maxTokens, backend.slots);
  writer.begin();
  const generated = await pool.use(prompt, signal, (sequence) =>
    generate(sequence, {
      ...{ prompt, maxTokens, signal, arrivedAt },
      sampling: (recent) => ({
        ...samplingOptions(request, recent),
        ...(grammar === null ? {} : grammarState(backend.model, grammar)),
      }),
      stops: typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []),
      contextTokens: backend.contextTokens,
      promptChunk: backend.promptChunk,
      prefixCaching: backend.prefixCaching,
      // Watching is not use: it does not count.
      meter: pool === backend.slots ? backend.meter : createMeter(),
      onText: splitter.push,
      ...(log !== null && { onToken: log.add }),
    }),
  );
  const found = writeCalls(splitter.end(), request, generated.finish, writer);
  const end = endOf(prompt.length, generated, found > 0);
  writer.end(log === null ? end : { ...end, tokens: log.members() });
}

function limitOf(request: ChatRequest, backend: ChatBackend): number {
  const asked = request.max_completion_tokens ?? request.max_tokens;
  return asked ?? backend.tokensPerTurn ?? Infinity;
}

function grammarFor(
  backend: ChatBackend,
  request: ChatRequest,
  { names, thinking }: { names: readonly string[]; thinking: boolean },
): Promise<LlamaGrammar> {
  const single = request.parallel_tool_calls === false;
  const grammar = callGrammar(names, { style: backend.callStyle, thinking, single });
  return backend.model.llama.createGrammar({ grammar });
}

function grammarState(
  model: LlamaModel,
  grammar: LlamaGrammar,
): { grammarEvaluationState: LlamaGrammarEvaluationState } {
  return { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) };
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
      prompt_per_second: perSecond(promptTokens - cachedTokens, generated.promptMs),
      predicted_n: completionTokens,
      predicted_ms: generated.completionMs,
      predicted_per_second: perSecond(completionTokens, generated.completionMs),
    },
  };
}
