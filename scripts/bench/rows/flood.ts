import { peakMemoryDuring, restingMemory } from '../memory.ts';
import { entries, withPlace } from '../place.ts';
import { single, type Row } from '../row.ts';

const SECONDS = 10;

/** A command that prints without end: what it costs us in memory. */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ open }) => {
    const workspace = await open(entries({ 'a.txt': 'a\n' }));
    // What the first command needs anyway is not growth.
    await workspace.run({ command: 'yes | head -c 10000000', timeoutMs: 30_000 });
    const before = restingMemory();
    let bytes = 0;
    const peak = await peakMemoryDuring(async () => {
      const result = await workspace.run({ command: 'yes', timeoutMs: SECONDS * 1000 });
      if (!result.timedOut) throw new Error('`yes` ended before its time');
      bytes = result.stdout.totalBytes;
    });
    const reach = { p50: 50, p95: 50, text: '< 50 MB' };
    const note = `${Math.round(bytes / 1e6)} MB were printed`;
    return [single('`yes` for 10 s: growth of our memory', 'MB', peak - before, reach, note)];
  });
}
