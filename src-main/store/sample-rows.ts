import type { ServerSample } from '../contract/index.ts';

/** Kept as a mean over the looks that knew them. */
const GAUGES = ['memory', 'gpu', 'gpu_utilization', 'running', 'waiting', 'kv_used'] as const;
/** Counters of the server since its start: the last look's stand for the row. */
const COUNTERS = [
  'prompt_total',
  'generated_total',
  'cache_queried_total',
  'cache_hit_total',
  'first_token_seconds_total',
  'first_token_total',
] as const;
/** What the looks counted since the one before: added up. */
const SUMS = [
  'covered_ms',
  'prompt_tokens',
  'generated_tokens',
  'cache_queried_tokens',
  'cache_hit_tokens',
  'first_token_seconds',
  'first_tokens',
] as const;

type Gauge = (typeof GAUGES)[number];
type Value = number | null;
/** A row of `server_samples`. */
export type SampleRow = {
  resolution: number;
  at: number;
  server: string;
  last_at: number;
} & Record<`${Gauge}_sum`, Value> &
  Record<`${Gauge}_looks` | 'figures_looks', number> &
  Record<(typeof COUNTERS)[number] | (typeof SUMS)[number], Value> & { alert: string | null };

const KEY = ['resolution', 'at', 'server'] as const;
const GAUGE_COLUMNS = GAUGES.flatMap((gauge) => [`${gauge}_sum`, `${gauge}_looks`]);
const COLUMNS = [
  ...KEY,
  'last_at',
  ...GAUGE_COLUMNS,
  'figures_looks',
  ...COUNTERS,
  ...SUMS,
  'alert',
];

/** Adds a row to the one that stands for the same time. */
export function upsertSql(): string {
  const added = [...GAUGES.map((gauge) => `${gauge}_sum`), ...SUMS].map(
    // An unknown is not a zero: only two unknowns make one.
    (name) => `${name} = coalesce(${name} + excluded.${name}, ${name}, excluded.${name})`,
  );
  const counted = [...GAUGES.map((gauge) => `${gauge}_looks`), 'figures_looks'].map(
    (name) => `${name} = ${name} + excluded.${name}`,
  );
  const newest = COUNTERS.map(
    (name) =>
      `${name} = CASE WHEN excluded.last_at >= last_at THEN coalesce(excluded.${name}, ${name})
                 ELSE coalesce(${name}, excluded.${name}) END`,
  );
  return `
    INSERT INTO server_samples (${COLUMNS.join(', ')})
    VALUES (${COLUMNS.map((name) => `:${name}`).join(', ')})
    ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET
      ${[...added, ...counted, ...newest].join(', ')},
      alert = coalesce(excluded.alert, alert),
      last_at = max(last_at, excluded.last_at)`;
}

function looks(value: Value): number {
  return value === null ? 0 : 1;
}

/** A look as the row of its own that it would be. */
export function rowOf(server: string, sample: ServerSample): Omit<SampleRow, 'resolution' | 'at'> {
  const { figures, interval } = sample;
  const gauges: Record<Gauge, Value> = {
    memory: sample.memoryBytes,
    gpu: sample.gpuBytes,
    gpu_utilization: sample.gpuUtilization,
    running: figures?.running ?? null,
    waiting: figures?.waiting ?? null,
    kv_used: figures?.kvUsed ?? null,
  };
  const gaugeColumns = Object.fromEntries(
    Object.entries(gauges).flatMap(([name, value]) => [
      [`${name}_sum`, value],
      [`${name}_looks`, looks(value)],
    ]),
  ) as Record<`${Gauge}_sum`, Value> & Record<`${Gauge}_looks`, number>;
  return {
    server,
    last_at: Math.round(sample.at),
    ...gaugeColumns,
    figures_looks: figures === null ? 0 : 1,
    prompt_total: figures?.promptTokens ?? null,
    generated_total: figures?.generatedTokens ?? null,
    cache_queried_total: figures?.cacheQueriedTokens ?? null,
    cache_hit_total: figures?.cacheHitTokens ?? null,
    first_token_seconds_total: figures?.firstTokenSecondsSum ?? null,
    first_token_total: figures?.firstTokenCount ?? null,
    covered_ms: interval?.ms ?? null,
    prompt_tokens: interval?.promptTokens ?? null,
    generated_tokens: interval?.generatedTokens ?? null,
    cache_queried_tokens: interval?.cacheQueriedTokens ?? null,
    cache_hit_tokens: interval?.cacheHitTokens ?? null,
    first_token_seconds: interval?.firstTokenSeconds ?? null,
    first_tokens: interval?.firstTokenCount ?? null,
    alert: sample.alert,
  };
}

/** `part / whole`, times `scale`; `null` where either is not known or there was nothing. */
function share(part: Value, whole: Value, scale = 1): Value {
  return part === null || whole === null || whole <= 0 ? null : (part / whole) * scale;
}

/** What a row says, in the form it came in. */
export function sampleOf(row: SampleRow): ServerSample {
  const mean = (gauge: Gauge): Value => share(row[`${gauge}_sum`], row[`${gauge}_looks`]);
  return {
    at: row.resolution === 1 ? row.last_at : row.at,
    memoryBytes: mean('memory'),
    gpuBytes: mean('gpu'),
    gpuUtilization: mean('gpu_utilization'),
    figures:
      row.figures_looks === 0
        ? null
        : {
            running: mean('running'),
            waiting: mean('waiting'),
            kvUsed: mean('kv_used'),
            promptTokens: row.prompt_total,
            generatedTokens: row.generated_total,
            cacheQueriedTokens: row.cache_queried_total,
            cacheHitTokens: row.cache_hit_total,
            firstTokenSecondsSum: row.first_token_seconds_total,
            firstTokenCount: row.first_token_total,
          },
    promptPerSecond: share(row.prompt_tokens, row.covered_ms, 1000),
    generatedPerSecond: share(row.generated_tokens, row.covered_ms, 1000),
    cacheHitShare: share(row.cache_hit_tokens, row.cache_queried_tokens),
    firstTokenMs: share(row.first_token_seconds, row.first_tokens, 1000),
    interval:
      row.covered_ms === null
        ? null
        : {
            ms: row.covered_ms,
            promptTokens: row.prompt_tokens,
            generatedTokens: row.generated_tokens,
            cacheQueriedTokens: row.cache_queried_tokens,
            cacheHitTokens: row.cache_hit_tokens,
            firstTokenSeconds: row.first_token_seconds,
            firstTokenCount: row.first_tokens,
          },
    alert: row.alert,
  };
}
