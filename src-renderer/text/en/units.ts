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
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
