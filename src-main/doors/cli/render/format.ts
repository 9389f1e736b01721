/** Figures as people read them. All are pure. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `300 ms`, `2.1 s`, `42 s`, `3 min 05 s`, `1 h 02 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${two(whole % MINUTE)} s`;
  return `${Math.floor(whole / HOUR)} h ${two(Math.floor((whole % HOUR) / MINUTE))} min`;
}

/** `0:07`, `12:34`, `1:02:03`: a running clock. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / MINUTE);
  if (whole < HOUR) return `${minutes}:${two(whole % MINUTE)}`;
  return `${Math.floor(whole / HOUR)}:${two(minutes % 60)}:${two(whole % MINUTE)}`;
}

/** `12 s`, `5 min`, `3 h`, `2 d`: how long ago something was. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h`;
  return `${Math.floor(whole / DAY)} d`;
}

/** `12,345`; `?` where it is not known. */
export function formatCount(value: number | null): string {
  return value === null ? '?' : value.toLocaleString('en-US');
}

/** `1 step`, `2 steps`, `0 steps`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `+3 -2`. */
export function formatChange({ insertions, deletions }: ChangeSize): string {
  return `+${insertions ?? 0} -${deletions ?? 0}`;
}

interface ChangeSize {
  insertions: number | null;
  deletions: number | null;
}
