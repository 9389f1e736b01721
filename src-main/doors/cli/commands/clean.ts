import type { Cleaned } from '../../../core/index.ts';
import { formatSize, visibleLine } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { plural } from '../render/format.ts';
import { jsonText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** What `vivarium clean` says about what went. */
export function renderCleaned(cleaned: Cleaned): string {
  const { containers, volumes, snapshots, bytes, servers, unreached } = cleaned;
  const lines = [
    ...(unreached === undefined ? removed([containers, volumes, snapshots], bytes) : []),
    ...(unreached !== undefined && snapshots > 0
      ? [`Removed ${plural(snapshots, 'snapshot')} (${formatSize(bytes)}).`]
      : []),
    ...named('Ended what was left of the server', servers.ended),
    ...named('Removed state and logs of the server', servers.forgotten),
  ];
  if (lines.length === 0) lines.push('There was nothing to clean.');
  if (unreached !== undefined) {
    lines.push(`Containers and volumes were not looked at: ${visibleLine(unreached)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function removed(
  [containers, volumes, snapshots]: [number, number, number],
  bytes: number,
): string[] {
  if (containers + volumes + snapshots === 0) return [];
  const what = [
    plural(containers, 'container'),
    plural(volumes, 'volume'),
    plural(snapshots, 'snapshot'),
  ];
  return [`Removed ${what.join(', ')} (${formatSize(bytes)}).`];
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`${what} of ${names.map(visibleLine).join(', ')}.`];
}

/** `vivarium clean`. */
export async function clean(console: Console, { json }: { json?: boolean }): Promise<number> {
  const cleaned = await withCore(console, ({ core }) => core.clean());
  console.out(json ? jsonText(cleaned) : renderCleaned(cleaned));
  return 0;
}
