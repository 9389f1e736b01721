import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { ChatRequest } from './chat-request.ts';

/** What llama.cpp's own server uses where a request says nothing. */
const DEFAULTS = { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05 };
/** Tokens that penalties look back on, as in llama.cpp's own server. */
const PENALTY_WINDOW = 64;

/**
 * Sampling options of one turn. Without a seed the turn is not repeatable.
 *
 * @param recent the prompt and what was generated, in order; read anew at each token.
 */
export function samplingOptions(
  request: ChatRequest,
  recent: () => readonly Token[],
): SequenceEvaluateOptions {
  const topK = request.top_k ?? DEFAULTS.topK;
  const penalty = request.repetition_penalty ?? request.repeat_penalty ?? 1;
  const presence = request.presence_penalty ?? 0;
  const frequency = request.frequency_penalty ?? 0;
  const penalised = penalty !== 1 || presence !== 0 || frequency !== 0;
  return {
    temperature: request.temperature ?? DEFAULTS.temperature,
    topP: request.top_p ?? DEFAULTS.topP,
    // vLLM writes "off" as -1, llama.cpp as 0.
    topK: topK < 0 ? 0 : topK,
    minP: request.min_p ?? DEFAULTS.minP,
    // llama.cpp's seeds have 32 bits.
    seed: (request.seed ?? Math.floor(Math.random() * 2 ** 32)) >>> 0,
    ...(penalised
      ? {
          repeatPenalty: {
            punishTokens: () => recent().slice(-PENALTY_WINDOW),
            maxPunishTokens: PENALTY_WINDOW,
            penalty,
            presencePenalty: presence,
            frequencyPenalty: frequency,
          },
        }
      : {}),
  };
}
