import { counted, unitsText } from './text/en/units.ts';

/** Figures as people read them. All are pure; the same forms as the command line's. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `1.5 GiB`, `312 MiB`, `17 B`; `?` where it is not known. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return unitsText.unknown;
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1023.5 && unit < unitsText.bytes.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${bytes < 0 ? '\u2212' : ''}${value.toFixed(digits)} ${unitsText.bytes[unit]}`;
}

/** `11.2 of 24.0 GiB`: the unit once where both have the same. */
export function formatSizeOf(part: number | null, whole: number): string {
  const [first, last] = [formatSize(part), formatSize(whole)];
  const unit = last.slice(last.indexOf(' '));
  return unitsText.of(first.endsWith(unit) ? first.slice(0, -unit.length) : first, last);
}

/** `300 ms`, `2.1 s`, `42 s`, `3 min 05 s`, `1 h 02 min`, `2 d`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return unitsText.unknown;
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 0.9995) return unitsText.milliseconds(String(Math.round(seconds * 1000)));
  if (seconds < 9.95) return unitsText.seconds(seconds.toFixed(1));
  const whole = Math.round(seconds);
  if (whole < MINUTE) return unitsText.seconds(String(whole));
  if (whole < HOUR) return unitsText.minutesSeconds(...split(whole, MINUTE, 1));
  if (whole < 2 * DAY) return unitsText.hoursMinutes(...split(whole, HOUR, MINUTE));
  return unitsText.days(String(Math.floor(whole / DAY)));
}

/** Time that still runs, in whole seconds: `0 s`, `7 s`, `3 min 05 s`. Below zero, as clocks may be set, it is 0. */
export function formatElapsed(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  return whole < MINUTE ? unitsText.seconds(String(whole)) : formatDuration(whole * 1000);
}

/** `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 d ago`, then the date. Both in milliseconds since 1970. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000);
  if (seconds < 10) return unitsText.justNow;
  if (seconds < MINUTE) return unitsText.ago(unitsText.seconds(String(seconds)));
  if (seconds < HOUR) return unitsText.ago(unitsText.minutes(String(Math.floor(seconds / MINUTE))));
  const days = calendarDays(at, now);
  if (days === 0 || seconds < 6 * HOUR) {
    return unitsText.ago(unitsText.hours(String(Math.floor(seconds / HOUR))));
  }
  if (days === 1) return unitsText.yesterday;
  if (days < 7) return unitsText.ago(unitsText.days(String(days)));
  return formatDate(at);
}

/** `29 Nov 2026`, in the machine's own time zone. */
export function formatDate(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

/** `29 Nov 2026, 22:43:18`: for tooltips and facts, where the exact time matters. */
export function formatMoment(at: number): string {
  moments ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return moments.format(at);
}

/** Made once: making one is slow. */
let moments: Intl.DateTimeFormat | undefined;

/** `12,345`; `?` where it is not known. */
export function formatCount(value: number | null): string {
  return value === null ? unitsText.unknown : counted(value);
}

/** `18.4K`, `131K`, `1.2M`: for tokens, where three digits tell enough. Thousands, not 1,024. */
export function formatTokens(value: number | null): string {
  if (value === null) return unitsText.unknown;
  if (value < 1000) return String(value);
  const [scaled, letter] = value < 999_500 ? [value / 1000, 'K'] : [value / 1e6, 'M'];
  return `${scaled.toFixed(scaled >= 99.95 ? 0 : 1).replace(/\.0$/, '')}${letter}`;
}

/** `96 %` of 0.96; never rounds to 0 or 100 what is not. */
export function formatShare(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return unitsText.unknown;
  const percent = share * 100;
  if (percent > 0 && percent < 1) return unitsText.share('<1');
  if (percent > 99 && percent < 100) return unitsText.share('>99');
  return unitsText.share(String(Math.round(percent)));
}

/** `+3` and `−1`, with a real minus sign. */
export function formatChanges(
  insertions: number | null,
  deletions: number | null,
): [string, string] {
  return [`+${formatCount(insertions)}`, `\u2212${formatCount(deletions)}`];
}

/** Group of a list by age: the newest groups are the narrowest. */
export function ageGroup(at: number, now: number): 'today' | 'yesterday' | 'week' | 'older' {
  const days = calendarDays(at, now);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days < 7 ? 'week' : 'older';
}

function calendarDays(at: number, now: number): number {
  const [from, to] = [new Date(at), new Date(now)];
  const midnights = [from, to].map((date) =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()),
  );
  return Math.round(((midnights[1] ?? 0) - (midnights[0] ?? 0)) / (DAY * 1000));
}

function split(seconds: number, big: number, small: number): [string, string] {
  const rest = Math.floor((seconds % big) / small);
  return [String(Math.floor(seconds / big)), String(rest).padStart(2, '0')];
}
