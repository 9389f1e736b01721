import { formatSize } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { plural } from '../render/format.ts';
import { jsonText } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

interface Cleaned {
  containers: number;
  volumes: number;
  snapshots: number;
  bytes: number;
}

/** What `vivarium clean` says about what went. */
export function renderCleaned({ containers, volumes, snapshots, bytes }: Cleaned): string {
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
