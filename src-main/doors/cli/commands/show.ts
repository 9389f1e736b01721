import type { Core } from '../../../core/index.ts';
import { visible } from '../../../lib/index.ts';
import type { Console } from '../console.ts';
import { renderResult } from '../render/result.ts';
import { jsonText } from '../render/safe-text.ts';
import { renderTimeline } from '../render/timeline.ts';
import { withCore } from '../with-core.ts';

export interface ShowOptions {
  steps?: boolean;
  patch?: boolean;
  json?: boolean;
}

/** Bytes as they are for files and pipes; on a terminal nothing in a patch may act on it. */
function patchFor(columns: number | null, bytes: Uint8Array): string | Uint8Array {
  if (columns === null) return bytes;
  return visible(bytes);
}

async function contentOf(
  core: Core,
  id: string,
  options: ShowOptions,
  columns: number | null,
): Promise<string | Uint8Array> {
  if (options.patch) return patchFor(columns, await core.patch(id));
  if (options.steps) return renderTimeline(core.events(id), columns);
  const result = core.result(id);
  return options.json ? jsonText(result) : renderResult(result, columns);
}

const WHOLE = 'note: the whole patch, with what a review rejected; an export leaves that out\n';

/** `vivarium show`. */
export async function show(console: Console, id: string, options: ShowOptions): Promise<number> {
  const columns = console.outColumns();
  const { content, rejected } = await withCore(console, async ({ core }) => ({
    content: await contentOf(core, id, options, columns),
    rejected: options.patch ? (core.result(id).patch?.rejected ?? []) : [],
  }));
  if (rejected.length > 0) console.err(WHOLE);
  console.out(content);
  return 0;
}
