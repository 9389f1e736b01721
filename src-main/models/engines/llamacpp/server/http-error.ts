/** A refusal with the status and body of the OpenAI error shape. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly type: string;
  readonly extra: Record<string, unknown>;

  constructor(status: number, type: string, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.extra = extra;
  }

  toBody(): { error: Record<string, unknown> } {
    const { status, type, message, extra } = this;
    return { error: { code: status, type, message, ...extra } };
  }
}

/** The prompt alone does not fit; type and members as llama.cpp's own server sends them. */
export function contextOverflow(promptTokens: number, contextTokens: number): HttpError {
  return new HttpError(
    400,
    'exceed_context_size_error',
    `The request has ${promptTokens} prompt tokens, which exceeds the context size of ${contextTokens} tokens.`,
    { n_prompt_tokens: promptTokens, n_ctx: contextTokens },
  );
}
