import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createCore } from '../../../src-main/core/index.ts';
import { writeTask } from '../../../src-main/evaluation/tasks/write-task.ts';
import { IMAGE, withPlace } from '../place.ts';
import { series, type Row } from '../row.ts';

const SEEDS = 10;
const FILES = 500;

/** Five steps: reads, a command, an edit, an answer. */
const REPLIES = [
  ...['ls', 'cat module_1.txt', 'echo fixed > module_1.txt', 'cat module_1.txt'].map((command) => ({
    content: 'I look at it.',
    tool_calls: [{ name: 'Bash', arguments: { command } }],
  })),
  { content: 'Done.' },
];
const VERIFIER = '#!/bin/sh\ngrep -q fixed module_1.txt && echo 1 > /logs/verifier/reward.txt\n';

/**
 * What an attempt of an evaluation costs beyond model, tools and tests: opening the workspace, the
 * patch, the start of the grading, the record. One at a time, so that nothing waits for another.
 */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ folder }) => {
    const tasks = path.join(folder, 'tasks');
    await mkdir(tasks);
    await writeTask(tasks, {
      ...{ name: 'cost', instruction: 'Fix it.', image: IMAGE, workdir: '/workspace' },
      tree: Array.from({ length: FILES }, (_, n) => ({
        ...{ path: `module_${n}.txt`, mode: '100644' as const },
        content: Buffer.from(`line ${n}\n`.repeat(400)),
      })),
      tests: { 'test.sh': VERIFIER },
      verifier: { on: 'patch', timeoutMs: 60_000, reader: { kind: 'reward' } },
      ...{ fix: null, expected: null, agentTimeoutMs: null, source: {} },
    });
    const script = path.join(folder, 'replies.jsonl');
    await writeFile(script, REPLIES.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
    const core = createCore({ home: path.join(folder, 'home'), env: process.env });
    try {
      const { cells } = await core.evaluations.run({
        ...{ tasks, models: [`script:${script}`], scaffolds: ['leaf'], workers: 1 },
        seeds: Array.from({ length: SEEDS }, (_, seed) => seed),
      });
      if (!cells.every(({ resolved }) => resolved)) throw new Error('a cell was not resolved');
      const own = cells.map(({ startedAt, sessionId, seconds }) => {
        const last = core.events(sessionId).at(-1)?.at ?? startedAt;
        return (last - startedAt) / 1000 - seconds.model - seconds.tools - seconds.grading;
      });
      const title = `own cost of an attempt (workspace, grading start, record), ${FILES} files`;
      const opened = cells
        .flatMap(({ sessionId }) => core.events(sessionId))
        .flatMap(({ body }) => (body.type === 'workspace.opened' ? [body.seconds] : []));
      return [
        series(title, 's', own, { p50: 2, text: 'p50 < 2 s' }),
        series("of it, until the attempt's workspace was open", 's', opened),
      ];
    } finally {
      await core.close();
    }
  });
}
