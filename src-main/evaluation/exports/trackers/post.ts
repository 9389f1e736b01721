import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, visibleLine, VivariumError } from '../../../lib/index.ts';

/** A server that the user named, and what goes with each request. */
export interface Target {
  to: URL;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Answers after which the protocol asks to try again. */
const AGAIN = new Set([429, 502, 503, 504]);
const TRIES = 4;
const WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Posts JSON to `path` below the target's own address and returns what it answered as JSON (`null`
 * when it is none). No redirect is followed: nothing goes to an address that nobody typed.
 * @param said what had been done before, for the failure
 * @throws VivariumError `endpoint_unreachable`, `endpoint_refused`, `endpoint_error`
 */
export async function post(
  target: Target,
  path: string,
  body: string,
  said: { done: string },
): Promise<unknown> {
  const url = new URL(target.to);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  for (let tried = 1; ; tried += 1) {
    const answer = await postOnce(url, body, target, said);
    if (answer.ok) return jsonOf(answer.text, url, said);
    if (!AGAIN.has(answer.status) || tried === TRIES) throw refused(url, answer, said);
    await sleep(waitMs(answer.retryAfter, tried), undefined, { signal: target.signal });
  }
}

interface Answer {
  ok: boolean;
  status: number;
  text: string;
  retryAfter: string | null;
}

async function postOnce(
  url: URL,
  body: string,
  { headers, signal }: Target,
  said: { done: string },
): Promise<Answer> {
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return { ok: response.ok, status: response.status, text, retryAfter };
  } catch (cause) {
    signal.throwIfAborted();
    throw new VivariumError(
      'endpoint_unreachable',
      `${shown(url)} does not answer: ${reasonOf(cause)}; ${said.done}`,
      'Start the server or correct the address of --to, then export again.',
      cause,
    );
  }
}

/** `fetch` hides the system's word in the cause. */
function reasonOf(fault: unknown): string {
  const inner = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
  return messageOf(inner) || messageOf(fault);
}

function refused(url: URL, { status, text }: Answer, said: { done: string }): VivariumError {
  const words = visibleLine(text.slice(0, 300).replace(/\s+/g, ' ').trim());
  const isMoved = status >= 300 && status < 400;
  return new VivariumError(
    status >= 500 ? 'endpoint_error' : 'endpoint_refused',
    `${shown(url)} answered ${status}${words === '' ? '' : `: ${words}`}; ${said.done}`,
    isMoved
      ? 'Name the address it has now with --to: no redirect is followed.'
      : 'Look at the address, the headers and the server’s log, then export again.',
  );
}

/** Without credentials and query, which may be secret. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function jsonOf(text: string, url: URL, said: { done: string }): unknown {
  if (text.trim() === '') return null;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return null;
  }
  const rejected = rejectedOf(answer);
  if (rejected === null) return answer;
  throw new VivariumError(
    'endpoint_refused',
    `${shown(url)} took only a part: ${visibleLine(rejected)}; ${said.done}`,
    'Look at the server’s log, then export again.',
  );
}

/** OTLP's partial success: a 200 that did not take everything. */
function rejectedOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('partialSuccess' in answer)) return null;
  const { partialSuccess } = answer;
  if (typeof partialSuccess !== 'object' || partialSuccess === null) return null;
  const spans = 'rejectedSpans' in partialSuccess ? Number(partialSuccess.rejectedSpans) : 0;
  if (!(spans > 0)) return null;
  const why = 'errorMessage' in partialSuccess ? String(partialSuccess.errorMessage) : '';
  return `${spans} spans were rejected${why === '' ? '' : `: ${why}`}`;
}

function waitMs(retryAfter: string | null, tried: number): number {
  const asked = Number(retryAfter) * 1000;
  const wait = Number.isFinite(asked) && asked > 0 ? asked : WAIT_MS * 2 ** (tried - 1);
  return Math.min(wait, LONGEST_WAIT_MS);
}
