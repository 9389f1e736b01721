import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createCore } from '../../../src-main/core/index.ts';
import { IMAGE, makeRepository, withPlace } from '../place.ts';
import { series, type Row } from '../row.ts';
import { serveModel } from '../model-server.ts';

const STEPS = 120;
/** Characters that each step's output adds, so that step 100 has 120,000 tokens before it. */
const CHARS_PER_STEP = 4_250;

interface Turn {
  /** When the step was on record. */
  endedAt: number;
  toolsMs: number;
  promptTokens: number;
}

/** Wall time of each turn without what the tools and the model's server took for it. */
function ownTimes(turns: readonly Turn[], serverMs: readonly number[]): number[] {
  const own: number[] = [];
  for (let step = 1; step < turns.length; step += 1) {
    const [last, turn] = [turns[step - 1], turns[step]];
    const server = serverMs[step];
    if (last === undefined || turn === undefined || server === undefined) continue;
    own.push(turn.endedAt - last.endedAt - turn.toolsMs - server);
  }
  return own;
}

/**
 * A whole attempt through the core, with a model server in another process: request building,
 * transport, parsing, checkpoint, record and events count as ours.
 */
export async function measure(): Promise<Row[]> {
  return withPlace(async ({ folder }) => {
    const repository = path.join(folder, 'repository');
    await makeRepository(repository, { files: 50, bytes: 50 * CHARS_PER_STEP });
    await mkdir(path.join(folder, 'home'));
    const server = await serveModel(STEPS, CHARS_PER_STEP);
    const core = createCore({ home: path.join(folder, 'home'), env: {} });
    const turns: Turn[] = [];
    try {
      await core.fix(
        {
          repository,
          issue: 'Measure the time per turn.',
          model: `${server.url}#bench`,
          image: IMAGE,
          maxSteps: STEPS + 10,
          maxContext: 400_000,
          timeLimitSeconds: 600,
        },
        {
          onEvent: ({ body }) => {
            if (body.type !== 'step.finished') return;
            const { toolsMs } = body.timings;
            const promptTokens = body.usage.promptTokens ?? 0;
            turns.push({ endedAt: performance.now(), toolsMs, promptTokens });
          },
        },
      );
    } finally {
      await core.close();
    }
    const own = ownTimes(turns, await server.close());
    if (own.length < STEPS - 5) throw new Error(`only ${own.length} turns were measured`);
    const history = Math.round((turns[100]?.promptTokens ?? 0) / 1000);
    const note = `history at step 100: ${history},000 tokens as the server counts (characters / 4)`;
    const reach = { p50: 10, p95: 40, text: 'p50 < 10 ms, p95 < 40 ms' };
    return [
      series('our own time per turn, steps 90 to 110', 'ms', own.slice(89, 110), reach, note),
      series('our own time per turn, steps 5 to 25', 'ms', own.slice(4, 25), null, 'short history'),
    ];
  });
}
