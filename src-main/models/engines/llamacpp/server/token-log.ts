import type { LlamaModel, Token } from 'node-llama-cpp';
import type { ChatRequest } from './chat-request.ts';
import { HttpError } from './http-error.ts';
import type { ReplyTokens } from './reply.ts';

/** Keeps the tokens of a reply as they are sampled. */
export interface TokenLog {
  /** `probability`: of this token, in the distribution that it was sampled from. */
  add(token: Token, probability: number): void;
  /** The members of a reply that were asked for, in vLLM's form. */
  members(): ReplyTokens;
}

/**
 * A log for a request that asks for token ids or log-probabilities; `null` for others.
 * @throws HttpError 400 where they are asked for in a stream
 */
export function createTokenLog(
  request: Pick<ChatRequest, 'logprobs' | 'return_token_ids' | 'stream'>,
  model: Pick<LlamaModel, 'detokenize'>,
  prompt: readonly Token[],
): TokenLog | null {
  const { logprobs: wantsLogprobs, return_token_ids: wantsIds, stream } = request;
  if (!wantsLogprobs && !wantsIds) return null;
  if (stream) {
    const message = 'logprobs and return_token_ids are not supported in streams.';
    throw new HttpError(400, 'invalid_request_error', message);
  }
  const ids: Token[] = [];
  const logprobs: number[] = [];
  const entryOf = (id: Token, at: number): object => ({
    ...{ token: model.detokenize([id], true), bytes: null },
    ...{ logprob: logprobs[at], top_logprobs: [] },
  });
  return {
    add: (token, probability) => {
      ids.push(token);
      logprobs.push(Math.log(probability));
    },
    members: () => ({
      reply: wantsIds ? { prompt_token_ids: [...prompt] } : {},
      choice: {
        ...(wantsIds && { token_ids: ids }),
        ...(wantsLogprobs && { logprobs: { content: ids.map(entryOf) } }),
      },
    }),
  };
}
