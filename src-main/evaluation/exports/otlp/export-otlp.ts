import type { OutFolder } from '../out-folder.ts';
import { cellLabel } from '../places.ts';
import { readCell } from '../read-cell.ts';
import { jsonText } from '../text.ts';
import { post, type Target } from '../trackers/post.ts';
import type { ExportSource } from '../types.ts';
import { tracesOf, type SpanOptions } from './spans.ts';

/** traces.jsonl: one request of the protocol a line, one cell each. */
export async function exportOtlp(
  source: ExportSource,
  out: OutFolder,
  notes: string[],
  options: SpanOptions,
): Promise<number> {
  const file = await out.append(['traces.jsonl']);
  return eachTrace(source, notes, options, (body) => file.write(`${body}\n`));
}

/**
 * Sends each cell as one request to a collector that the user named. What is sent twice has the same
 * ids.
 * @throws VivariumError `endpoint_*`, saying how many cells had been sent before
 */
export function sendOtlp(
  source: ExportSource,
  target: Target,
  notes: string[],
  options: SpanOptions,
): Promise<number> {
  let sent = 0;
  const said = target.to.pathname.replace(/\/+$/, '');
  const path = said.endsWith('/v1/traces') ? '' : '/v1/traces';
  return eachTrace(source, notes, options, async (body) => {
    await post(target, path, body, { done: `${sent} of ${source.cells.length} cells were sent` });
    sent += 1;
  });
}

async function eachTrace(
  source: ExportSource,
  notes: string[],
  options: SpanOptions,
  take: (body: string) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  for (const cell of source.cells) {
    const record = readCell(source, cell);
    if (record === null) {
      notes.push(`left out: ${cellLabel(source, cell)}: no attempt was made`);
      continue;
    }
    await take(jsonText(tracesOf(record, source, options)));
    done += 1;
  }
  return done;
}
