/** Words around figures. */
export const unitsText = {
  justNow: 'just now',
  ago: (age: string) => `${age} ago`,
  yesterday: 'yesterday',
  unknown: '?',
  of: (part: string, whole: string) => `${part} of ${whole}`,
  share: (percent: string) => `${percent} %`,
  milliseconds: (value: string) => `${value} ms`,
  seconds: (value: string) => `${value} s`,
  minutes: (value: string) => `${value} min`,
  minutesSeconds: (minutes: string, seconds: string) => `${minutes} min ${seconds} s`,
  hours: (value: string) => `${value} h`,
  hoursMinutes: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  days: (value: string) => `${value} d`,
  bytes: ['B', 'KiB', 'MiB', 'GiB', 'TiB'],
};

/** `1 step`, `2 steps`: the English forms of a counted word. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

/** `12,345`. */
export function counted(count: number): string {
  counts ??= new Intl.NumberFormat('en-US');
  return counts.format(count);
}

/** Made once: a new one for each figure is most of what a scroll of a long list would cost. */
let counts: Intl.NumberFormat | undefined;
