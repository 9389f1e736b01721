import { useEffect, useState } from 'react';
import {
  formatAge,
  formatChanges,
  formatCount,
  formatDuration,
  formatElapsed,
  formatMoment,
  formatSize,
} from '../format.ts';

const TICK_MS = 10_000;
const SECOND_MS = 1_000;

export function FileSize({ bytes }: { bytes: number | null }) {
  return <span className="numbers">{formatSize(bytes)}</span>;
}

export function Count({ value }: { value: number | null }) {
  return <span className="numbers">{formatCount(value)}</span>;
}

export function Duration({ ms }: { ms: number | null }) {
  return <span className="numbers">{formatDuration(ms)}</span>;
}

/** Time since a moment, counted on each second. */
export function Elapsed({ since }: { since: number }) {
  const now = useNow(SECOND_MS);
  return <span className="numbers">{formatElapsed(now - since)}</span>;
}

/** How long ago, kept current; the exact moment is its title. */
export function Age({ at }: { at: number }) {
  const now = useNow(TICK_MS);
  return (
    <time className="numbers" dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatAge(at, now)}
    </time>
  );
}

/** `+3 −1`. */
export function Changes(props: { insertions: number | null; deletions: number | null }) {
  const [plus, minus] = formatChanges(props.insertions, props.deletions);
  return (
    <span className="numbers">
      <span className="plus">{plus}</span> <span className="minus">{minus}</span>
    </span>
  );
}

/** The time now, told again at an interval; milliseconds since 1970. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
