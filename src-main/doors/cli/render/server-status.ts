import type { SampleInterval, ServerSample, ServerStatus } from '../../../contract/index.ts';
import { formatSize } from '../../../lib/index.ts';
import { formatAge, formatCount, formatSeconds, plural } from './format.ts';
import { oneLine, pathText } from './safe-text.ts';
import { sparkline } from './sparkline.ts';
import { wrapLine } from './wrap.ts';

export interface ServerView {
  status: ServerStatus;
  /** The newest look; `null` when there was none lately. */
  sample: ServerSample | null;
  /** Looks of the last minute, oldest first. */
  recent: readonly ServerSample[];
  /** Milliseconds since 1970. */
  now: number;
  /** `null` = not a terminal: nothing is wrapped. */
  columns: number | null;
}

type Row = [label: string, value: string];

/** An older look says nothing about now. */
const FRESH_MS = 10_000;
/** A second alone jumps about: prompts come in bursts. */
const SPEED_OVER_MS = 10_000;
const LABEL_COLUMNS = 10;
const INDENT = ' '.repeat(2 + LABEL_COLUMNS);
const TREND_CELLS = 30;

/** One server of `vivarium models status`: its name and state, then what is known of it. */
export function renderServer({ status, sample, recent, now, columns }: ServerView): string {
  const rows: Row[] = [
    ...failureRows(status),
    ...factRows(status),
    ...(isRunning(status) ? figureRows(status, sample, recent, now) : []),
    ...(status.logFile === null ? [] : [['log', pathText(status.logFile)] satisfies Row]),
  ];
  const lines = [
    headline(status, now),
    ...rows.map(([label, value]) => `  ${label.padEnd(LABEL_COLUMNS)}${value}`),
  ];
  const wrapped = lines.flatMap((line) => wrapLine(line, columns ?? Infinity, INDENT));
  return `${wrapped.join('\n')}\n`;
}

function isRunning({ state }: ServerStatus): boolean {
  return state === 'loading' || state === 'ready' || state === 'busy' || state === 'stopping';
}

/** `nano  loading for 12 s: loading weights (2 of 4 shards)`. */
function headline({ name, state, since, progress, restarts }: ServerStatus, now: number): string {
  const age = formatAge((now - since) / 1000);
  const isOver = state === 'stopped' || state === 'failed' || state === 'lost';
  // One that never ran has no time of its last change.
  const when = since <= 0 ? '' : isOver ? ` ${age} ago` : ` for ${age}`;
  const again = restarts === 0 ? '' : `, ${plural(restarts, 'restart')}`;
  const what = progress === null ? '' : `: ${oneLine(progress)}`;
  return `${oneLine(name)}  ${state}${when}${again}${what}`;
}

function failureRows({ failure, state }: ServerStatus): Row[] {
  if (failure === null) {
    if (state !== 'lost') return [];
    return [['cause', 'its owner or its process is gone, and nobody had asked for that']];
  }
  return [
    ['cause', oneLine(failure.cause)],
    ['said', oneLine(failure.line)],
    ['remedy', oneLine(failure.remedy)],
  ];
}

function factRows(status: ServerStatus): Row[] {
  const { engine, version, address, contextTokens, sequences, users } = status;
  const rows: Row[] = [];
  if (engine !== '')
    rows.push(['engine', oneLine(version === null ? engine : `${engine} ${version}`)]);
  if (address !== null) rows.push(['address', oneLine(address)]);
  if (contextTokens !== null) {
    const times = sequences === null ? '' : ` x ${plural(sequences, 'sequence')}`;
    rows.push(['context', `${formatCount(contextTokens)} tokens${times}`]);
  }
  // A record of its last run tells who kept it then.
  if (status.ownerKind !== null && isRunning(status)) {
    const kept = status.ownerKind === 'keeper' ? 'kept in the background' : 'kept while it is used';
    const by = users === 0 ? '' : `, used by ${plural(users, 'other process', 'other processes')}`;
    rows.push(['owner', `${kept}${by}`]);
  }
  return rows;
}

function figureRows(
  status: ServerStatus,
  sample: ServerSample | null,
  recent: readonly ServerSample[],
  now: number,
): Row[] {
  const estimate = estimateRows(status);
  if (sample === null) return estimate;
  const ageMs = now - sample.at;
  if (ageMs > FRESH_MS) return [...estimate, ['figures', `none for ${formatAge(ageMs / 1000)}`]];
  const looks = recent.length === 0 ? [sample] : recent;
  return [
    ...(sample.alert === null ? [] : [['alert', oneLine(sample.alert)] satisfies Row]),
    ...memoryRows(sample),
    ...estimate,
    ...requestRows(sample),
    ...cacheRows(sample, looks),
    ...speedRows(looks, now),
  ];
}

function memoryRows({ memoryBytes, gpuBytes, gpuUtilization }: ServerSample): Row[] {
  const rows: Row[] = [];
  if (memoryBytes !== null) rows.push(['memory', formatSize(memoryBytes)]);
  if (gpuBytes !== null) {
    const busy = gpuUtilization === null ? '' : `, ${percent(gpuUtilization)} busy`;
    rows.push(['GPU', `${formatSize(gpuBytes)}${busy}`]);
  }
  return rows;
}

/** What was expected before the start, and what was found right after it. */
function estimateRows({ memory, plan }: ServerStatus): Row[] {
  const estimated = memory?.estimatedBytes ?? plan?.estimate.totalBytes;
  if (estimated === undefined) return [];
  const measured =
    memory === null
      ? ''
      : `; ${formatSize(memory.measuredBytes)} measured after it (${deviation(memory.ratio)})`;
  return [['estimate', `${formatSize(estimated)} before the start${measured}`]];
}

function deviation(ratio: number): string {
  const off = Math.round((ratio - 1) * 100);
  if (off === 0) return 'as estimated';
  return `${Math.abs(off)} % ${off > 0 ? 'more' : 'less'}`;
}

function requestRows({ figures }: ServerSample): Row[] {
  if (figures === null || figures.running === null) return [];
  const waiting =
    figures.waiting === null ? '' : `, ${formatCount(Math.round(figures.waiting))} waiting`;
  return [['requests', `${formatCount(Math.round(figures.running))} running${waiting}`]];
}

function cacheRows({ figures }: ServerSample, looks: readonly ServerSample[]): Row[] {
  const used = figures?.kvUsed ?? null;
  const hits = over(looks, 'cacheHitTokens', 'cacheQueriedTokens');
  const facts = [
    ...(used === null ? [] : [`${percent(used)} in use`]),
    ...(hits === null ? [] : [`${percent(hits)} of prompt tokens found in it in the last minute`]),
  ];
  return facts.length === 0 ? [] : [['KV cache', facts.join(', ')]];
}

function speedRows(looks: readonly ServerSample[], now: number): Row[] {
  const lately = looks.filter(({ at }) => at > now - SPEED_OVER_MS);
  const rows: Row[] = [];
  const speeds = [
    ['in', over(lately, 'promptTokens', 'ms')] as const,
    ['out', over(lately, 'generatedTokens', 'ms')] as const,
  ].flatMap(([way, perMs]) => (perMs === null ? [] : [`${formatRate(perMs * 1000)} ${way}`]));
  if (speeds.length > 0) {
    rows.push(['speed', `${speeds.join(', ')} (tokens/s over the last ${SPEED_OVER_MS / 1000} s)`]);
  }
  const trend = sparkline(
    looks.map(({ generatedPerSecond }) => generatedPerSecond),
    TREND_CELLS,
  );
  if (trend !== null)
    rows.push(['', `${trend.line} out, at most ${formatRate(trend.highest)} tokens/s`]);
  const first = over(looks, 'firstTokenSeconds', 'firstTokenCount');
  if (first !== null) {
    const count = total(looks, 'firstTokenCount') ?? 0;
    const of = count === 1 ? '1 request' : `mean of ${formatCount(count)} requests`;
    rows.push(['first', `token after ${formatSeconds(first)} (${of} in the last minute)`]);
  }
  return rows;
}

/** Sum of one count over all looks that know it. */
function total(looks: readonly ServerSample[], name: keyof SampleInterval): number | null {
  const known = looks.flatMap(({ interval }) => interval?.[name] ?? []);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

function over(
  looks: readonly ServerSample[],
  part: keyof SampleInterval,
  whole: keyof SampleInterval,
): number | null {
  const [parts, all] = [total(looks, part), total(looks, whole)];
  return parts === null || all === null || all <= 0 ? null : parts / all;
}

/** `0`, `3.4`, `57`, `1,234`. */
function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  return perSecond < 9.95 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
