import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { Meter } from './meter.ts';
import { createStopWatch } from './stop-watch.ts';
import { createTextDecoder } from './text-decoder.ts';

export interface Generation {
  prompt: readonly Token[];
  /** Built with the tokens so far, for the penalties. */
  sampling: (recent: () => readonly Token[]) => SequenceEvaluateOptions;
  stops: readonly string[];
  /** New tokens at most. */
  maxTokens: number;
  /** Window of the sequence: prompt and reply together stay below. */
  contextTokens: number;
  /** Prompt tokens evaluated between two looks at the signal: what a cancel may have to wait for. */
  promptChunk: number;
  /** Start from what the sequence has in memory. */
  prefixCaching: boolean;
  meter: Meter;
  /** When the request came, by `performance.now()`. */
  arrivedAt: number;
  signal: AbortSignal;
  onText: (text: string) => void;
  /** Called for each token, the one that ends the turn included, with its probability. */
  onToken?: (token: Token, probability: number) => void;
}

export interface Generated {
  finish: 'stop' | 'length';
  /** Prompt tokens that were still in memory and not evaluated again. */
  cachedTokens: number;
  /** New tokens, the one that ended the turn not counted. */
  completionTokens: number;
  promptMs: number;
  completionMs: number;
}

/**
 * Runs one turn on a sequence: keeps what the prompt shares with the tokens already in memory,
 * evaluates the rest and generates.
 *
 * @throws the signal's reason when aborted; the sequence stays usable.
 */
export async function generate(
  sequence: LlamaContextSequence,
  request: Generation,
): Promise<Generated> {
  const { cachedTokens, promptMs } = await metredPrefill(sequence, request);
  const started = performance.now();
  let tokens = 0;
  try {
    const output = await decode(sequence, request, () => (tokens += 1));
    await sequence.takeCheckpoint();
    const completionMs = performance.now() - started;
    return { finish: output, cachedTokens, completionTokens: tokens, promptMs, completionMs };
  } finally {
    request.meter.generated(tokens, performance.now() - started);
  }
}

async function metredPrefill(
  sequence: LlamaContextSequence,
  request: Generation,
): Promise<{ cachedTokens: number; promptMs: number }> {
  const started = performance.now();
  const before = sequence.tokenMeter.usedInputTokens;
  // Counted, not derived: a model that cannot be rewound freely evaluates more than the new part.
  const evaluated = (): number => sequence.tokenMeter.usedInputTokens - before;
  try {
    await prefill(sequence, request);
  } catch (error) {
    request.meter.prompt(evaluated(), 0, performance.now() - started);
    throw error;
  }
  const promptMs = performance.now() - started;
  // The last token of the prompt is evaluated by the first sampling.
  const cachedTokens = Math.max(0, request.prompt.length - evaluated() - 1);
  request.meter.prompt(evaluated() + 1, cachedTokens, promptMs);
  return { cachedTokens, promptMs };
}

/** Evaluates all of the prompt but its last token, which the first sampling needs. */
async function prefill(sequence: LlamaContextSequence, request: Generation): Promise<void> {
  const last = request.prompt.length - 1;
  if (!request.prefixCaching) await sequence.clearHistory();
  // A model with a recurrent state or a sliding window goes back to its last fitting checkpoint, and
  // evaluates from there to the first difference within this call.
  await sequence.adaptStateToTokens(request.prompt.slice(0, last), false);
  for (let at = sequence.nextTokenIndex; at < last; at += request.promptChunk) {
    request.signal.throwIfAborted();
    const end = Math.min(at + request.promptChunk, last);
    await sequence.evaluateWithoutGeneratingNewTokens(request.prompt.slice(at, end));
  }
  request.signal.throwIfAborted();
  await sequence.takeCheckpoint();
}

async function decode(
  sequence: LlamaContextSequence,
  request: Generation,
  onToken: () => number,
): Promise<Generated['finish']> {
  const { prompt, signal, onText } = request;
  const room = Math.min(request.maxTokens, request.contextTokens - prompt.length);
  const decoder = createTextDecoder(sequence.model, prompt);
  const watch = createStopWatch(request.stops);
  const all = [...prompt];
  const options = request.sampling(() => all);
  const flush = (): void => {
    const text = watch.push(decoder.end()).text + watch.end();
    if (text !== '') onText(text);
  };
  const isLogged = request.onToken !== undefined;
  const sampled = sequence.evaluateWithMetadata(
    prompt.slice(-1),
    // Only then is it looked at: it costs a look at the whole vocabulary.
    { confidence: isLogged as true },
    { ...options, yieldEogToken: isLogged },
  );
  for await (const { token, confidence } of sampled) {
    request.onToken?.(token, confidence);
    if (sequence.model.isEogToken(token)) break;
    const count = onToken();
    if (count === 1) request.meter.firstToken(performance.now() - request.arrivedAt);
    signal.throwIfAborted();
    all.push(token);
    const { text, stopped } = watch.push(decoder.push(token));
    if (text !== '') onText(text);
    if (stopped) return 'stop';
    if (count >= room) {
      flush();
      return 'length';
    }
  }
  flush();
  return 'stop';
}
