/** A call as it is sent to the client; `arguments` is the text the model wrote. */
export interface ReplyCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface ReplyUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number };
}

/** Times of one turn, with the names of llama.cpp's own server. */
export interface ReplyTimings {
  cache_n: number;
  prompt_n: number;
  prompt_ms: number;
  prompt_per_second: number;
  predicted_n: number;
  predicted_ms: number;
  predicted_per_second: number;
}

/** Members with tokens that go beside the choices, and into the only one. */
export interface ReplyTokens {
  reply: { prompt_token_ids?: number[] };
  choice: { token_ids?: number[]; logprobs?: { content: object[] } };
}

/** Facts known once a turn has ended. */
export interface ReplyEnd {
  finish: FinishReason;
  usage: ReplyUsage;
  timings: ReplyTimings;
  /** Of a request that asked for them. */
  tokens?: ReplyTokens;
}

/** Takes a reply as it is made and sends it to the client, in pieces or in one. */
export interface ReplyWriter {
  /** The request is accepted; what follows may take long. */
  begin(): void;
  reasoning(text: string): void;
  content(text: string): void;
  call(index: number, call: ReplyCall): void;
  end(end: ReplyEnd): void;
}
