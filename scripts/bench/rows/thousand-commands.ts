import { openDescriptors, restingMemory } from '../memory.ts';
import { entries, withPlace } from '../place.ts';
import { single, type Row } from '../row.ts';

const COMMANDS = 1_000;
const NONE = { p50: 0, p95: 0, text: '0' };

/** What many commands leave behind, in this process and in the workspace. */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ open }) => {
    const workspace = await open(entries({ 'a.txt': 'a\n' }));
    const some = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const command = `echo ${n}; cat a.txt | tr a b >&2`;
        const { exitCode } = await workspace.run({ command, timeoutMs: 10_000 });
        if (exitCode !== 0) throw new Error(`command ${n} ended with ${exitCode}`);
      }
    };
    const look = async () => ({
      descriptors: openDescriptors(),
      processes: (await workspace.usage()).pids,
      memory: restingMemory(),
    });
    // Until buffers, caches and compiled code are there.
    await some(100);
    const before = await look();
    await some(COMMANDS);
    const after = await look();
    const title = '1,000 commands';
    const growth = { p50: 20, p95: 20, text: '< 20 MB' };
    const leaked = (what: 'descriptors' | 'processes'): number =>
      Math.max(0, after[what] - before[what]);
    return [
      single(`${title}: leaked descriptors`, 'count', leaked('descriptors'), NONE),
      single(`${title}: leaked processes`, 'count', leaked('processes'), NONE),
      single(`${title}: growth of our memory`, 'MB', after.memory - before.memory, growth),
    ];
  });
}
