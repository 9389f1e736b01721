import type { BenchResult } from '../servers/types.ts';
import type { ChatModel, Completion, ModelInfo } from '../types.ts';
import { ContextOverflowError } from '../types.ts';
import { growingTurns } from './growing-turns.ts';
import type { BenchRun, PromptSpeed } from './run.ts';
import { createWords } from './words.ts';

export interface BenchedModel {
  chat: ChatModel;
  info: Pick<ModelInfo, 'contextTokens'>;
}

export interface BenchModelOptions {
  name: string;
  signal?: AbortSignal;
  /** What is measured now, for people. */
  onProgress?: (text: string) => void;
  /** Start of the made-up words; default: the time, so that no run finds those of another. */
  seed?: number;
}

/** Taken where the window is not known; every model served today has it. */
const USUAL_WINDOW_TOKENS = 4_096;
const CALIBRATION_WORDS = 48;
/** A prompt that takes about this long is long enough to tell the speed. */
const PROMPT_SECONDS = 6;
const MAX_PROMPT_TOKENS = 8_192;
const GENERATED_TOKENS = 192;
/** Fewer new tokens than this say nothing about the speed. */
const LEAST_GENERATED = 16;

const WRITE_PROMPTS = [
  'Count from 1 to 1000. Write one number per line and nothing else.',
  'Write a long story about a river.',
  '1, 2, 3, 4,',
];

/**
 * Measures a running model through the one way the app uses it, so it works for every engine:
 * speed of a prompt that was never seen, speed of generation, and what each of 10 growing turns
 * finds in the server's memory. A figure that the server's counts do not allow is `null`.
 * Load time and memory are for the caller to add.
 *
 * @throws VivariumError `endpoint_*`, `engine_failed` as the model does; the signal's reason
 */
export async function benchModel(
  served: BenchedModel,
  options: BenchModelOptions,
): Promise<BenchResult> {
  const run = startRun(served, options);
  const prompt = await measurePrompt(run);
  const generation = await measureGeneration(run);
  const turns = await growingTurns(run, prompt);
  return {
    name: options.name,
    loadSeconds: null,
    promptTokensPerSecond: prompt.tokensPerSecond,
    generatedTokensPerSecond: generation.tokensPerSecond,
    firstTokenMs: generation.firstTokenMs,
    turns,
    memory: null,
  };
}

function startRun({ chat, info }: BenchedModel, options: BenchModelOptions): BenchRun {
  const { signal, onProgress } = options;
  return {
    ask: (messages, maxTokens, tools = []) => {
      const request = { messages, tools, sampling: { temperature: 0 }, maxTokens };
      return chat.complete(signal === undefined ? request : { ...request, signal });
    },
    words: createWords(options.seed ?? Date.now()),
    progress: (text) => onProgress?.(text),
    windowTokens: info.contextTokens ?? USUAL_WINDOW_TOKENS,
  };
}

/** A short prompt tells how long the one that is measured may be. */
async function measurePrompt(run: BenchRun): Promise<PromptSpeed> {
  run.progress('reading a short prompt');
  const short = await askWords(run, CALIBRATION_WORDS);
  const tokensPerWord = (short.usage.promptTokens ?? 4 * CALIBRATION_WORDS) / CALIBRATION_WORDS;
  const speed = promptSpeedOf(short);
  const wanted = Math.min(
    MAX_PROMPT_TOKENS,
    Math.floor(run.windowTokens / 2),
    Math.floor((speed ?? 100) * PROMPT_SECONDS),
  );
  const words = Math.max(CALIBRATION_WORDS, Math.floor(wanted / tokensPerWord));
  run.progress(`reading a new prompt of about ${Math.round(words * tokensPerWord)} tokens`);
  return { tokensPerSecond: promptSpeedOf(await askWords(run, words)), tokensPerWord };
}

/** Where the window turns out to be smaller than thought, half the words are tried. */
async function askWords(run: BenchRun, count: number): Promise<Completion> {
  const content = `${run.words.take(count)}\n\nAnswer with one word.`;
  try {
    // Two, since a server may answer requests for a single token in a way of its own.
    return await run.ask([{ role: 'user', content }], 2);
  } catch (error) {
    if (!(error instanceof ContextOverflowError) || count < CALIBRATION_WORDS / 2) throw error;
    run.windowTokens = Math.floor(run.windowTokens / 2);
    return askWords(run, Math.floor(count / 2));
  }
}

function promptSpeedOf({ usage, timings }: Completion): number | null {
  if (usage.promptTokens === null) return null;
  const read = usage.promptTokens - (usage.cachedTokens ?? 0);
  const ms = timings.firstTokenMs ?? timings.totalMs;
  return read > 0 && ms > 0 ? (read * 1000) / ms : null;
}

interface GenerationSpeed {
  tokensPerSecond: number | null;
  firstTokenMs: number | null;
}

async function measureGeneration(run: BenchRun): Promise<GenerationSpeed> {
  run.progress('writing');
  const limit = Math.min(GENERATED_TOKENS, Math.floor(run.windowTokens / 4));
  let firstTokenMs: number | null = null;
  for (const content of WRITE_PROMPTS) {
    const { usage, timings } = await run.ask([{ role: 'user', content }], limit);
    firstTokenMs ??= timings.firstTokenMs;
    if (usage.completionTokens === null || timings.firstTokenMs === null) break;
    // The first token belongs to the prompt's time.
    const written = usage.completionTokens - 1;
    const ms = timings.totalMs - timings.firstTokenMs;
    if (written >= LEAST_GENERATED && ms > 0) {
      return { tokensPerSecond: (written * 1000) / ms, firstTokenMs };
    }
  }
  return { tokensPerSecond: null, firstTokenMs };
}
