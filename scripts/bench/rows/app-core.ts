import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createCore, type Core } from '../../../src-main/core/index.ts';
import type { LiveItem } from '../../../src-main/contract/index.ts';
import { IMAGE, makeRepository, withPlace } from '../place.ts';
import { series, single, type Row } from '../row.ts';

const STEPS = 40;

/** Replies that run commands with some output, change files, and end. */
function replies(): object[] {
  const call = (command: string) => ({ name: 'Bash', arguments: { command } });
  const steps = Array.from({ length: STEPS }, (_, n) => ({
    content: `Step ${n}: I look at the module and change it. `.repeat(20),
    tool_calls: [call(`seq 1 3000; echo "changed = ${n}" >> package_0/part_0/module_${n}.py`)],
  }));
  return [...steps, { content: 'Done.' }];
}

interface Blocks {
  longestMs: number;
  end(): void;
}

/**
 * The longest turn of the event loop, in time that this thread spent on the processor: on a busy
 * machine the clock says more of the others than of us.
 */
function watchLoop(): Blocks {
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const found = { longestMs: 0, end: () => void (isOver = true) };
  let isOver = false;
  let before = spent();
  const turn = (): void => {
    const now = spent();
    found.longestMs = Math.max(found.longestMs, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return found;
}

/** Runs one session as the app does; calls `onItem` for all that `live` says. */
async function runSession(
  { handlers }: Core,
  fix: { repository: string; issue: string; model: string; image: string },
  onItem: (item: LiveItem) => void,
): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const over = (async () => {
    for await (const item of handlers.live({ after: null }, { signal })) {
      onItem(item);
      if (item.kind === 'event' && item.event.body.type === 'session.finished') return;
    }
  })();
  await handlers['sessions/start'](fix, { signal: new AbortController().signal });
  await over;
  stop.abort();
}

/** Two sessions through the contract's handlers. */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ folder }) => {
    const repository = path.join(folder, 'repository');
    await makeRepository(repository, { files: 500, bytes: 500 * 4000 });
    const script = path.join(folder, 'replies.jsonl');
    await writeFile(
      script,
      replies()
        .map((reply) => `${JSON.stringify(reply)}\n`)
        .join(''),
    );
    const core = createCore({ home: path.join(folder, 'home'), env: process.env });
    const fix = { repository, issue: 'Measure.', model: `script:${script}`, image: IMAGE };
    try {
      const first = watchLoop();
      await runSession(core, fix, () => undefined);
      first.end();
      const blocks = watchLoop();
      const late: number[] = [];
      await runSession(core, fix, (item) => {
        if (item.kind === 'event') late.push(Date.now() - item.event.at);
      });
      blocks.end();
      return [
        single('longest turn of the event loop in a session', 'ms', blocks.longestMs, {
          ...{ p50: 50, text: '< 50 ms' },
        }),
        single('the same in the first one, which loads what it needs', 'ms', first.longestMs),
        series('an event in the store to the stream', 'ms', late, { p95: 50, text: 'p95 < 50 ms' }),
      ];
    } finally {
      await core.close();
    }
  });
}
