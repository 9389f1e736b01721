import type { StoredEvent } from '../../../../src-main/contract/index.ts';
import { durationOf } from './timeline.ts';

type Known = number | null;

/** Figures of an attempt on one time axis; lists are as long as the times beside them. */
export interface AttemptSeries {
  /** Ends of the steps; milliseconds since 1970. */
  times: number[];
  /** Each step from its start to its end. */
  spans: Array<{ id: number; from: number; to: number }>;
  /** Start of the first step to the end of the last; `null` before there is one. */
  range: readonly [number, number] | null;
  tokens: { prompt: Known[]; cached: Known[]; fresh: Known[]; completion: Known[] };
  context: Known[];
  seconds: { model: number[]; tools: number[]; own: number[] };
  memory: { times: number[]; workspace: Known[]; model: Known[]; app: Known[] };
}

export interface Look {
  at: number;
  workspaceBytes: Known;
  modelBytes: Known;
  /** Left out in records of older versions. */
  appBytes?: Known | undefined;
}

/** From the steps on record; looks of the running step go on where they end. */
export function attemptSeries(
  events: readonly StoredEvent[],
  attemptId: string,
  looks: readonly Look[],
): AttemptSeries {
  const series = emptySeries();
  let from: number | null = null;
  for (const { attemptId: own, body, at } of events) {
    if (own !== attemptId || body.type !== 'step.finished') continue;
    from ??= at - durationOf(body.timings);
    addStep(series, body, at);
  }
  const { memory } = series;
  const recorded = memory.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  for (const look of looks) {
    if (look.at > recorded) addLook(memory, look);
    from ??= look.at;
  }
  const to = Math.max(memory.times.at(-1) ?? 0, series.times.at(-1) ?? 0);
  if (from !== null) series.range = [from, Math.max(to, from + 1)];
  return series;
}

function addStep(
  series: AttemptSeries,
  body: Extract<StoredEvent['body'], { type: 'step.finished' }>,
  at: number,
): void {
  const { usage, timings, memory } = body;
  const { promptTokens: prompt, cachedTokens: cached, completionTokens: completion } = usage;
  series.times.push(at);
  series.spans.push({ id: body.step, from: at - durationOf(timings), to: at });
  series.tokens.prompt.push(prompt);
  series.tokens.cached.push(cached);
  series.tokens.fresh.push(prompt === null ? null : prompt - (cached ?? 0));
  series.tokens.completion.push(completion);
  series.context.push(prompt === null ? null : prompt + (completion ?? 0));
  series.seconds.model.push(timings.modelMs / 1000);
  series.seconds.tools.push(timings.toolsMs / 1000);
  series.seconds.own.push(timings.ownMs / 1000);
  addLook(series.memory, { at, ...memory });
}

function addLook(memory: AttemptSeries['memory'], look: Look): void {
  memory.times.push(look.at);
  memory.workspace.push(look.workspaceBytes);
  memory.model.push(look.modelBytes);
  memory.app.push(look.appBytes ?? null);
}

function emptySeries(): AttemptSeries {
  return {
    ...{ times: [], spans: [], range: null, context: [] },
    tokens: { prompt: [], cached: [], fresh: [], completion: [] },
    seconds: { model: [], tools: [], own: [] },
    memory: { times: [], workspace: [], model: [], app: [] },
  };
}
