import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { createHttpFetch } from '../../models/index.ts';

/** The data of one reward event of Agent Lightning 1.0. */
export interface Reward {
  value: number;
  /** For people. */
  message: string;
  /** For programs: how the rollout came out. */
  reason: string;
}

export interface PostOptions {
  url: string;
  /** Bearer token; empty = none. */
  key: string;
  signal: AbortSignal;
  /** First pause between tries in milliseconds; doubles each time. Default 500. */
  pauseMs?: number;
}

const TRIES = 8;
const LONGEST_PAUSE_MS = 30_000;
const ANSWER_MS = 30_000;

/**
 * Posts one reward event, again after failures that may pass: no connection, 408, 425, 429, 5xx.
 * @throws VivariumError `endpoint_unreachable`, `endpoint_refused`, `endpoint_error`, none of which
 * shows the key or what the server said; the signal's reason when aborted
 */
export async function postReward(reward: Reward, options: PostOptions): Promise<void> {
  const data = { ...reward, source: 'vivarium' };
  const body = JSON.stringify({ event_type: 'reward', data });
  const send = createHttpFetch();
  for (let tried = 1; ; tried += 1) {
    const fault = await postOnce(body, send, options);
    if (fault === null) return;
    if (!fault.mayPass || tried >= TRIES) throw fault.error;
    const pauseMs = (options.pauseMs ?? 500) * 2 ** (tried - 1);
    await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal: options.signal });
  }
}

interface Fault {
  error: VivariumError;
  mayPass: boolean;
}

async function postOnce(
  body: string,
  send: ReturnType<typeof createHttpFetch>,
  { url, key, signal }: PostOptions,
): Promise<Fault | null> {
  try {
    // Never through a proxy, and no redirect is followed: a key must not go to another address.
    const response = await send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    await response.body?.cancel();
    return response.ok ? null : refusal(response.status);
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error).replaceAll(key === '' ? url : key, '***');
    return { error: failed('endpoint_unreachable', why), mayPass: true };
  }
}

function refusal(status: number): Fault {
  const mayPass = status === 408 || status === 425 || status === 429 || status >= 500;
  const refused = status === 401 || status === 403;
  const code = refused ? 'endpoint_refused' : 'endpoint_error';
  return { error: failed(code, `it answered ${status}`), mayPass };
}

function failed(
  code: 'endpoint_unreachable' | 'endpoint_refused' | 'endpoint_error',
  why: string,
): VivariumError {
  return new VivariumError(
    code,
    `the reward could not be posted: ${why}`,
    'Check AGL_EVENT_URL and AGL_KEY, and that the trainer still runs.',
  );
}
