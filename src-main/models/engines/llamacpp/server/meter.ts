/** What a server has done since its start; read by its metrics page. */
export interface Meter {
  /** The prompt of one turn is in memory: tokens evaluated, tokens found there, time it took. */
  prompt(evaluated: number, cached: number, ms: number): void;
  /** From the arrival of the request to its first token, waiting included. */
  firstToken(ms: number): void;
  generated(tokens: number, ms: number): void;
  render(now: Gauges): string;
}

/** State at the moment of asking. */
export interface Gauges {
  processing: number;
  deferred: number;
  /** Tokens in memory over all conversations, and how many there may be. */
  usedTokens: number;
  roomTokens: number;
}

interface Line {
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  value: number;
}

/**
 * Counts tokens and times. The page has the names of llama.cpp's own server, and names of ours for
 * what that does not tell: tokens found in memory, and the time to the first token.
 */
export function createMeter(): Meter {
  const sums = { evaluated: 0, cached: 0, promptMs: 0, generated: 0, generatedMs: 0 };
  const first = { ms: 0, count: 0 };
  return {
    prompt: (evaluated, cached, ms) => {
      sums.evaluated += evaluated;
      sums.cached += cached;
      sums.promptMs += ms;
    },
    firstToken: (ms) => {
      first.ms += ms;
      first.count += 1;
    },
    generated: (tokens, ms) => {
      sums.generated += tokens;
      sums.generatedMs += ms;
    },
    render: (now) => [...counters(sums), ...gauges(sums, now)].map(toText).join('') + times(first),
  };
}

type Sums = Record<'evaluated' | 'cached' | 'promptMs' | 'generated' | 'generatedMs', number>;

function counters(sums: Sums): Line[] {
  const counter = (name: string, value: number, help: string): Line => ({
    ...{ name, value, help },
    type: 'counter',
  });
  return [
    counter('prompt_tokens_total', sums.evaluated, 'Prompt tokens that were evaluated.'),
    counter('prompt_tokens_cached_total', sums.cached, 'Prompt tokens that were in memory.'),
    counter('prompt_seconds_total', sums.promptMs / 1000, 'Time spent on prompts.'),
    counter('tokens_predicted_total', sums.generated, 'Tokens that were generated.'),
    counter('tokens_predicted_seconds_total', sums.generatedMs / 1000, 'Time spent generating.'),
  ];
}

function gauges(sums: Sums, now: Gauges): Line[] {
  const gauge = (name: string, value: number, help: string): Line => ({
    ...{ name, value, help },
    type: 'gauge',
  });
  return [
    gauge(
      'prompt_tokens_seconds',
      perSecond(sums.evaluated, sums.promptMs),
      'Mean speed of prompts in tokens per second.',
    ),
    gauge(
      'predicted_tokens_seconds',
      perSecond(sums.generated, sums.generatedMs),
      'Mean speed of generation in tokens per second.',
    ),
    gauge('requests_processing', now.processing, 'Requests being answered.'),
    gauge('requests_deferred', now.deferred, 'Requests that wait for a free slot.'),
    gauge('kv_cache_tokens', now.usedTokens, 'Tokens in memory.'),
    gauge(
      'kv_cache_usage_ratio',
      now.roomTokens === 0 ? 0 : Math.min(1, now.usedTokens / now.roomTokens),
      'Share of the room for tokens that is used.',
    ),
  ];
}

function times({ ms, count }: { ms: number; count: number }): string {
  const name = 'llamacpp:time_to_first_token_seconds';
  return [
    `# HELP ${name} Time from a request to its first token, waiting included.`,
    `# TYPE ${name} summary`,
    `${name}_sum ${ms / 1000}`,
    `${name}_count ${count}`,
    '',
  ].join('\n');
}

function toText({ name, type, help, value }: Line): string {
  const full = `llamacpp:${name}`;
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`;
}

/** Tokens per second; 0 where nothing was measured. */
export function perSecond(tokens: number, ms: number): number {
  return ms > 0 ? (tokens * 1000) / ms : 0;
}
