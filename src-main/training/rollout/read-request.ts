import { VivariumError } from '../../lib/index.ts';

/** One rollout as its environment asks for it. */
export interface RolloutRequest {
  /** Base of the trainer's OpenAI-compatible proxy; with `#NAME` where a model is named. */
  model: string;
  eventUrl: string;
  /** Sent to both addresses; empty = none. Never recorded. */
  key: string;
  /** A task directory. */
  task: string;
  scaffold: string;
  /** `null` = the server's own randomness, so that rollouts of one group differ. */
  seed: number | null;
  maxSteps: number | undefined;
  maxContext: number | undefined;
  maxTokens: number | undefined;
  /** Of the attempt; verification has the limit of its task on top. */
  timeLimitSeconds: number | undefined;
  /** How long a turn waits in all while the proxy is paused; it is part of the time limit. */
  maxWaitSeconds: number | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads one rollout from environment variables; see docs/rollouts.md for their names.
 * @throws VivariumError `usage` for what is missing or no number, without showing any value of a key
 */
export function readRolloutRequest(env: Variables): RolloutRequest {
  const name = env['VIVARIUM_MODEL'] ?? '';
  const base = address(env, 'AGL_OPENAI_BASE_URL');
  const eventUrl = address(env, 'AGL_EVENT_URL');
  return {
    model: name === '' ? base : `${base}#${encodeURIComponent(name)}`,
    eventUrl,
    key: env['AGL_KEY'] ?? '',
    task: given(env, 'VIVARIUM_TASK'),
    scaffold: env['VIVARIUM_SCAFFOLD'] || 'leaf',
    seed: wholeNumber(env, 'VIVARIUM_SEED', 0) ?? null,
    maxSteps: wholeNumber(env, 'VIVARIUM_MAX_STEPS', 1),
    maxContext: wholeNumber(env, 'VIVARIUM_MAX_CONTEXT', 1),
    maxTokens: wholeNumber(env, 'VIVARIUM_MAX_TOKENS', 1),
    timeLimitSeconds: wholeNumber(env, 'VIVARIUM_TIME_LIMIT', 1),
    maxWaitSeconds: wholeNumber(env, 'VIVARIUM_MAX_WAIT', 0),
  };
}

function given(env: Variables, name: string): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new VivariumError(
    'usage',
    `${name} is not set`,
    'A rollout takes everything from its environment; see docs/rollouts.md.',
  );
}

/** Only http addresses, since nothing else is a trainer's. */
function address(env: Variables, name: string): string {
  const value = given(env, name);
  const url = URL.parse(value);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value;
  throw new VivariumError('usage', `${name} is no http address`, 'Set it to http://HOST:PORT/....');
}

function wholeNumber(env: Variables, name: string, least: number): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new VivariumError(
    'usage',
    `${name} is no whole number from ${least} on`,
    'Set it to one, or leave it out.',
  );
}
