/** Tokens of a conversation that belong together. */
export interface TokenRun {
  ids: readonly number[];
  /** What the model says, to the token that ends its turn; else it is only read. */
  learned: boolean;
}

export interface EncodeOptions {
  /**
   * What looks like a mark of turns in a user's or tool's message is `text`, as it is in a session, or
   * the `token` that other readers take it for. Default `text`.
   */
  marks?: 'text' | 'token';
  /** A line end that the template puts behind a reply is learned, too. Default false. */
  learnLineEnds?: boolean;
}

export interface EncodedChat {
  text: string;
  runs: TokenRun[];
}

export interface ChatTokenizer {
  /**
   * A conversation by the model's chat template, from messages and tools in OpenAI's form. `text` is
   * what was rendered, without a begin of text that the tokenizer puts before it. Fails with the
   * reason when no one sequence holds what the model read and said.
   */
  encode(
    messages: readonly unknown[],
    tools: readonly unknown[],
    options?: EncodeOptions,
  ): EncodedChat | { why: string };
  /** Tokens of a text by itself; marks of turns in it are tokens. */
  tokenize(text: string): readonly number[];
  /** The text of tokens, those that are no text included. */
  decode(ids: readonly number[]): string;
  close(): Promise<void>;
}
