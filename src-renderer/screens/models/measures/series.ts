import type { ServerSample } from '../../../../src-main/contract/index.ts';

/** Figures of a server over time, ready for charts. All pure. */

/** A gap longer than this is one: the server did not run, or nobody looked. */
const GAP_MS = 90_000;

/** More points than a wide chart has pixels are of no use. */
const MOST_POINTS = 1_200;

export interface Measures {
  times: number[];
  memory: Array<number | null>;
  gpu: Array<number | null>;
  promptRate: Array<number | null>;
  generatedRate: Array<number | null>;
  kv: Array<number | null>;
  hits: Array<number | null>;
  running: Array<number | null>;
  waiting: Array<number | null>;
  firstToken: Array<number | null>;
  utilization: Array<number | null>;
}

/** History and what came since, in order, without what is older than `from`. */
export function withSample(
  samples: readonly ServerSample[],
  sample: ServerSample | null,
  from: number,
): readonly ServerSample[] {
  const last = samples.at(-1);
  const isNew = sample !== null && (last === undefined || sample.at > last.at);
  const all = isNew ? [...samples, sample] : samples;
  const first = all.findIndex(({ at }) => at >= from);
  if (first === -1) return [];
  return first === 0 ? all : all.slice(first);
}

/** Columns of the charts; where nothing was measured for a while the lines are broken. */
export function measuresOf(samples: readonly ServerSample[]): Measures {
  const every = Math.max(1, Math.ceil(samples.length / MOST_POINTS));
  // The newest one stays, so that the figures beside the chart are of now.
  const offset = (samples.length - 1) % every;
  const kept = samples.filter((_, index) => index % every === offset);
  const rows: Array<{ at: number; sample: ServerSample | null }> = [];
  for (const [index, sample] of kept.entries()) {
    const before = kept[index - 1];
    if (before !== undefined && sample.at - before.at > GAP_MS) {
      rows.push({ at: before.at + 1, sample: null });
    }
    rows.push({ at: sample.at, sample });
  }
  const column = (pick: (sample: ServerSample) => number | null) =>
    rows.map(({ sample }) => (sample === null ? null : pick(sample)));
  return {
    times: rows.map(({ at }) => at),
    memory: column(({ memoryBytes }) => memoryBytes),
    gpu: column(({ gpuBytes }) => gpuBytes),
    promptRate: column(({ promptPerSecond }) => promptPerSecond),
    generatedRate: column(({ generatedPerSecond }) => generatedPerSecond),
    kv: column(({ figures }) => figures?.kvUsed ?? null),
    hits: column(({ cacheHitShare }) => cacheHitShare),
    running: column(({ figures }) => figures?.running ?? null),
    waiting: column(({ figures }) => figures?.waiting ?? null),
    firstToken: column(({ firstTokenMs }) => firstTokenMs),
    utilization: column(({ gpuUtilization }) => gpuUtilization),
  };
}

/** Something was measured at all. */
export function hasAny(values: ReadonlyArray<number | null>): boolean {
  return values.some((value) => value !== null);
}
