/** One sample of a metrics page. */
export interface MetricSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Lines beyond this are not read: no engine has so many. */
const MAX_LINES = 20_000;

/**
 * Reads the text format of Prometheus. Lines that are not samples (comments, garbage) are skipped;
 * timestamps are ignored; `NaN`, `+Inf` and `-Inf` are numbers.
 */
export function parseMetrics(text: string): MetricSample[] {
  const samples: MetricSample[] = [];
  for (const line of text.split('\n', MAX_LINES)) {
    const sample = parseSample(line.trim());
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

function parseSample(line: string): MetricSample | null {
  const name = /^[a-z_:][\w:]*/i.exec(line)?.[0];
  if (name === undefined) return null;
  const opened = line.slice(name.length).trimStart().startsWith('{');
  const labels: Record<string, string> = {};
  const after = opened ? readLabels(line, line.indexOf('{') + 1, labels) : name.length;
  if (after === null) return null;
  const value = parseValue(line.slice(after).trim().split(/\s+/)[0] ?? '');
  return value === null ? null : { name, labels, value };
}

/** Reads `a="1",b="x\"y"}` from a place on; the place after the brace, or `null` if it is broken. */
function readLabels(line: string, from: number, labels: Record<string, string>): number | null {
  // A value may hold commas, braces and escaped quotes.
  const label = /\s*(?:([a-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?|(\}))/iy;
  label.lastIndex = from;
  for (;;) {
    const match = label.exec(line);
    if (match === null) return null;
    if (match[3] === '}') return label.lastIndex;
    labels[match[1] ?? ''] = unescape(match[2] ?? '');
  }
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, (_whole, character: string) =>
    character === 'n' ? '\n' : character,
  );
}

function parseValue(text: string): number | null {
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

/** A reader of one page: the first of several names that has finite samples. */
export interface Metrics {
  /** Sum over all label sets (several engines behind one server); `null` when there is none. */
  sum(...names: string[]): number | null;
  /** Largest over all label sets, for shares that must not be added up. */
  max(...names: string[]): number | null;
}

/** Gives access to a page by name of the metric. */
export function readMetrics(text: string): Metrics {
  const byName = new Map<string, number[]>();
  for (const { name, value } of parseMetrics(text)) {
    if (!Number.isFinite(value)) continue;
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  const first = (names: readonly string[]): number[] | undefined =>
    names.map((name) => byName.get(name)).find((values) => values !== undefined);
  return {
    sum: (...names) => first(names)?.reduce((total, value) => total + value, 0) ?? null,
    max: (...names) => {
      const values = first(names);
      return values === undefined ? null : Math.max(...values);
    },
  };
}
