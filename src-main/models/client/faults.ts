import { readOverflow, type Overflow } from './overflow.ts';
import { ReplyTooLongError } from './collect.ts';
import { OPTIONAL_PARAMETERS } from './wire.ts';

/** Why a try failed, and by that whether another one can help. */
export type Fault =
  | { kind: 'overflow'; overflow: Overflow; text: string }
  | { kind: 'parameters'; names: string[]; text: string }
  | { kind: 'bad_request'; text: string }
  | { kind: 'temporary' | 'paused'; text: string; retryAfterMs: number | null }
  | { kind: 'unreachable'; text: string }
  | { kind: 'refused'; text: string }
  | { kind: 'not_found'; text: string }
  | { kind: 'fatal'; text: string; next: string | null };

/** What is known of a failed response besides the error that was thrown. */
export interface FailedResponse {
  /** `null` when no response came or it failed in mid-stream. */
  status: number | null;
  /** The body as text, bounded. */
  body: string;
  retryAfter: string | null;
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/** A stream that ended without a finish reason, or with one that means a fault of the server. */
export class StreamCutError extends Error {
  override readonly name = 'StreamCutError';
}

/** A successful answer that is no stream: something else than a model server, or an old one. */
export class NotStreamedError extends Error {
  override readonly name = 'NotStreamedError';
  constructor(body: string) {
    super(`the server did not stream its reply: ${bodyText(body)}`);
  }
}

/** Sorts whatever a try threw. Errors that are not the server's come back as `null`. */
export function classifyFault(thrown: unknown, response: FailedResponse): Fault | null {
  if (thrown instanceof ReplyTooLongError) return fatal(thrown.message);
  // The SDK wraps what its `fetch` throws.
  if (thrown instanceof Error && thrown.cause instanceof NotStreamedError) {
    return fatal(thrown.cause.message);
  }
  if (thrown instanceof StreamCutError) return temporary(thrown.message);
  if (response.status !== null) return fromStatus(response.status, response);
  const text = reasonOf(thrown);
  const code = codeOf(thrown);
  if (code !== null && UNREACHABLE_CODES.has(code)) return { kind: 'unreachable', text };
  if (code !== null && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return fatal(text);
  const overflow = readOverflow(text);
  if (overflow) return { kind: 'overflow', overflow, text };
  if (isServersDoing(thrown) || code !== null) return temporary(text);
  return null;
}

function fromStatus(status: number, response: FailedResponse): Fault {
  const text = `${String(status)}: ${bodyText(response.body)}`;
  const overflow = readOverflow(response.body);
  if (overflow && status !== 429) return { kind: 'overflow', overflow, text };
  if (status === 401 || status === 403) return { kind: 'refused', text };
  if (status === 404) return { kind: 'not_found', text };
  if (status === 400 || status === 422) return badRequest(response.body, text);
  if (status === 429 || status === 503) {
    return { kind: 'paused', text, retryAfterMs: readRetryAfter(response.retryAfter) };
  }
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    return temporary(text, readRetryAfter(response.retryAfter));
  }
  return fatal(text);
}

function badRequest(body: string, text: string): Fault {
  if (/enable-auto-tool-choice/.test(body)) {
    const next =
      'Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of this model.';
    return { kind: 'fatal', text, next };
  }
  if (/requires? --jinja/.test(body)) {
    return { kind: 'fatal', text, next: 'Start llama-server with --jinja.' };
  }
  const names = refusedParameters(body);
  return names.length > 0 ? { kind: 'parameters', names, text } : { kind: 'bad_request', text };
}

const REFUSAL =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra_forbidden|not permitted|not allowed|does not support/i;

/** Optional members that the server names in an error that says it does not know them. */
function refusedParameters(body: string): string[] {
  if (!REFUSAL.test(body)) return [];
  const named = (name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(body);
  // Where the newer name is recommended, the older one was refused.
  if (named('max_tokens') && named('max_completion_tokens')) return ['max_tokens'];
  return OPTIONAL_PARAMETERS.filter(named);
}

/** The message inside the JSON shapes that servers use for errors, or the text itself, on one line. */
export function bodyText(body: string): string {
  let text = body;
  try {
    const value: unknown = JSON.parse(body);
    text = messageIn(value) ?? body;
  } catch {
    // Not JSON: the text is the message.
  }
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line || 'no explanation';
}

function messageIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  if ('error' in value) return messageIn(value.error);
  if ('message' in value && typeof value.message === 'string') return value.message;
  if ('detail' in value) {
    return typeof value.detail === 'string' ? value.detail : JSON.stringify(value.detail);
  }
  return null;
}

/** Milliseconds of a Retry-After header given in seconds; dates are left to our own back-off. */
function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function temporary(text: string, retryAfterMs: number | null = null): Fault {
  return { kind: 'temporary', text, retryAfterMs };
}

function fatal(text: string): Fault {
  return { kind: 'fatal', text, next: null };
}

/** The SDK's own errors, and its word for an event that is not JSON. */
function isServersDoing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return 'requestID' in thrown || thrown instanceof SyntaxError;
}

/** System error code of the innermost cause that has one; of all addresses tried, the first's. */
function codeOf(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError) return codeOf(error.errors[0]);
  }
  return null;
}

/** Message of the innermost cause: the SDK's own ("Connection error.") says nothing. */
function reasonOf(thrown: unknown): string {
  let text = '';
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.message) text = error.message;
    if (error instanceof AggregateError) {
      return error.errors.map((each) => reasonOf(each)).join('; ');
    }
  }
  return text || String(thrown);
}
