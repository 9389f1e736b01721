import type { Cleaned } from '../../../core/index.ts';
import { formatSize, visibleLine } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { plural } from '../render/format.ts';
import { jsonText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

/** What `vivarium clean` says about what went. */
export function renderCleaned(cleaned: Cleaned): string {
  const { containers, volumes, snapshots, bytes, unreached } = cleaned;
  if (unreached !== undefined) {
    const went = `Removed ${plural(snapshots, 'snapshot')} (${formatSize(bytes)}).`;
    return `${went}\nContainers and volumes were not looked at: ${visibleLine(unreached)}\n`;
  }
  if (containers + volumes + snapshots === 0) return 'There was nothing to clean.\n';
  const what = [
    plural(containers, 'container'),
    plural(volumes, 'volume'),
    plural(snapshots, 'snapshot'),
  ];
  return `Removed ${what.join(', ')} (${formatSize(bytes)}).\n`;
}

/** `vivarium clean`. */
export async function clean(console: Console, { json }: { json?: boolean }): Promise<number> {
  const cleaned = await withCore(console, ({ core }) => core.clean());
  console.out(json ? jsonText(cleaned) : renderCleaned(cleaned));
  return 0;
}
