import type { ModelProfile } from '../servers/types.ts';

/**
 * Flags of a profile as words of a command line. `joined` writes `--flag=value`, which argparse never
 * takes for two arguments; llama-server knows `separate` words only. `false` leaves the flag out.
 */
export function flagArguments(
  flags: ModelProfile['flags'],
  style: 'joined' | 'separate',
): string[] {
  return Object.entries(flags).flatMap(([flag, value]) => {
    if (value === false) return [];
    if (value === true) return [flag];
    return style === 'joined' ? [`${flag}=${String(value)}`] : [flag, String(value)];
  });
}
