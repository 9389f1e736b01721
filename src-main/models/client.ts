import type { ChatModel, Completion, CompletionRequest } from './types.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from './client/endpoint.ts';
import { classifyFault, type Fault } from './client/faults.ts';
import { errorOf } from './client/fault-errors.ts';
import { clampAfter } from './client/overflow.ts';
import { DEFAULT_RETRIES, pause, pauseMs, type RetryPolicy } from './client/retry.ts';
import { TOKEN_PARAMETERS, toRequestBody } from './client/wire.ts';

export interface ChatModelOptions extends EndpointOptions {
  /** Name of the model as the server lists it. */
  model: string;
  /** The server's real window; `null` where it could not be learnt. */
  contextTokens: number | null;
  /** Members of the request that this server must not be sent, by their wire names. */
  withheld?: readonly string[];
  /** Limits other than the usual ones, for tests. */
  retries?: Partial<RetryPolicy>;
}

/** What one client has learnt about its server; shared by all turns and attempts. */
interface Learnt {
  withheld: Set<string>;
}

/** State of one turn over its tries. */
interface Turn {
  request: CompletionRequest;
  maxTokens: number;
  /** Further tries so far, and what each of them was for. */
  tries: number;
  retries: string[];
  /** While the server was paused. */
  waitedMs: number;
  used: Record<'temporary' | 'paused' | 'unreachable' | 'bad_request', number>;
}

/**
 * A chat model behind an OpenAI-compatible server. One turn is one call of `complete`, however many
 * tries it takes; there is no limit of time but the caller's signal, since a long prefill is no fault.
 */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const endpoint = createEndpoint(options);
  const policy = { ...DEFAULT_RETRIES, ...options.retries };
  const learnt: Learnt = { withheld: new Set(options.withheld) };
  return {
    async complete(request) {
      const turn = startTurn(request, options.contextTokens);
      for (;;) {
        const outcome = await tryOnce(endpoint, turn, learnt, options.model);
        if (outcome.completion) return outcome.completion;
        const waitMs = prepareRetry(outcome.fault, turn, learnt, policy);
        if (waitMs === null) throw errorOf(outcome.fault, options, turn.tries);
        noteRetry(turn, outcome.fault.kind, endpoint.redact(outcome.fault.text));
        if (outcome.started) {
          request.onDelta?.({ kind: 'restart', reason: endpoint.redact(outcome.fault.text) });
        }
        await waitFor(waitMs, turn, outcome.fault.kind === 'paused');
      }
    },
  };
}

function startTurn(request: CompletionRequest, contextTokens: number | null): Turn {
  return {
    request,
    maxTokens: Math.min(request.maxTokens, contextTokens ?? Number.POSITIVE_INFINITY),
    tries: 0,
    retries: [],
    waitedMs: 0,
    used: { temporary: 0, paused: 0, unreachable: 0, bad_request: 0 },
  };
}

/** A server that is paused for minutes says the same again and again: once is enough. */
function noteRetry(turn: Turn, kind: Fault['kind'], text: string): void {
  turn.tries += 1;
  if (kind !== 'paused' || turn.retries.at(-1) !== text) turn.retries.push(text);
}

async function waitFor(ms: number, turn: Turn, isPaused: boolean): Promise<void> {
  const { signal, onWaited } = turn.request;
  const began = performance.now();
  try {
    await pause(ms, signal);
  } finally {
    const waitedMs = performance.now() - began;
    if (isPaused) {
      turn.waitedMs += waitedMs;
      onWaited?.(waitedMs);
    }
  }
}

type Outcome = { completion: Completion } | { completion: null; fault: Fault; started: boolean };

async function tryOnce(
  endpoint: Endpoint,
  turn: Turn,
  learnt: Learnt,
  model: string,
): Promise<Outcome> {
  const { request, maxTokens, retries } = turn;
  request.signal?.throwIfAborted();
  const body = toRequestBody(request, { model, maxTokens, withheld: learnt.withheld });
  const attempt = endpoint.stream(body, request);
  try {
    const completion = await attempt.completion;
    return { completion: { ...completion, retries } };
  } catch (error) {
    request.signal?.throwIfAborted();
    const fault = classifyFault(error, attempt.response);
    if (!fault) throw error;
    return { completion: null, fault, started: attempt.started() };
  }
}

/** Changes the turn so that another try can help and returns the pause before it; `null` = give up. */
function prepareRetry(
  fault: Fault,
  turn: Turn,
  learnt: Learnt,
  policy: RetryPolicy,
): number | null {
  if (fault.kind === 'overflow') {
    const clamped = clampAfter(fault.overflow, turn.maxTokens);
    if (clamped === null) return null;
    turn.maxTokens = clamped;
    return 0;
  }
  if (fault.kind === 'parameters') {
    const fresh = fault.names.filter((name) => !learnt.withheld.has(name));
    for (const name of fresh) learnt.withheld.add(name);
    if (fresh.length > 0) return 0;
    // Named again although it was left out: an unclear 400 like any other.
    return retryWithin('bad_request', policy.badRequestRetries, turn, policy);
  }
  if (fault.kind === 'paused' && policy.longestWaitMs > 0) {
    const leftMs = policy.longestWaitMs - turn.waitedMs;
    if (leftMs <= 0) return null;
    turn.used.paused += 1;
    return Math.min(pauseMs(policy, turn.used.paused, fault.retryAfterMs), leftMs);
  }
  if (fault.kind === 'temporary' || fault.kind === 'paused') {
    return retryWithin('temporary', policy.temporaryRetries, turn, policy, fault.retryAfterMs);
  }
  if (fault.kind === 'unreachable') {
    return retryWithin('unreachable', policy.unreachableRetries, turn, policy);
  }
  if (fault.kind === 'bad_request') {
    if (turn.request.wantsTokens && withholdTokens(learnt)) return 0;
    return retryWithin('bad_request', policy.badRequestRetries, turn, policy);
  }
  return null;
}

/** Asks for no tokens from now on; `false` where that is so already. */
function withholdTokens({ withheld }: Learnt): boolean {
  const fresh = TOKEN_PARAMETERS.filter((name) => !withheld.has(name));
  for (const name of fresh) withheld.add(name);
  return fresh.length > 0;
}

function retryWithin(
  kind: keyof Turn['used'],
  limit: number,
  turn: Turn,
  policy: RetryPolicy,
  askedMs: number | null = null,
): number | null {
  if (turn.used[kind] >= limit) return null;
  turn.used[kind] += 1;
  return pauseMs(policy, turn.used[kind], askedMs);
}
