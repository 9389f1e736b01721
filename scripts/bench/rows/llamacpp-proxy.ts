import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { openModel } from '../../../src-main/models/index.ts';
import { openDirect, SAMPLING, type DirectTurn } from '../direct-llamacpp.ts';
import { ROOT } from '../place.ts';
import { series, timed, type Row, type Skipped } from '../row.ts';

const MODELS = [
  {
    name: 'SmolLM2 135M',
    file: path.join(ROOT, '.cache/models/SmolLM2-135M-Instruct.Q4_1.gguf'),
    tokens: 64,
  },
  {
    name: 'tadpole 7M',
    file: path.join(ROOT, 'resources/models/tadpole.gguf'),
    tokens: 512,
  },
];
const CONTEXT_TOKENS = 2_048;
const TURNS = 6;
/** Each turn is made this often by both; the best time counts, since others only slow it down. */
const REPEATS = 6;
const REACH = { p50: 5, text: 'p50 < 5 %' };

/**
 * Tokens per second that our server and client cost, against node-llama-cpp called directly in a
 * child process: same prompts, same sampling, turn about in one run. Both must write the same text.
 */
export async function measure(): Promise<(Row | Skipped)[]> {
  const rows: (Row | Skipped)[] = [];
  for (const model of MODELS) {
    const what = `tokens per second lost by our llama.cpp server, ${model.name}`;
    if (existsSync(model.file)) rows.push(await measureModel(what, model));
    else rows.push({ what, skipped: `${path.basename(model.file)} is not there` });
  }
  return rows;
}

type Answer = (turn: DirectTurn) => Promise<string>;

async function measureModel(what: string, model: (typeof MODELS)[number]): Promise<Row> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-bench-'));
  const spec = { kind: 'gguf', file: model.file } as const;
  const options = { home, env: process.env, contextTokens: CONTEXT_TOKENS };
  const handle = await openModel(spec, options);
  const threads = Number(handle.info.details['threads']);
  const direct = await openDirect(model.file, { contextTokens: CONTEXT_TOKENS, threads });
  const served: Answer = async ({ content, maxTokens }) => {
    const reply = await handle.chat.complete({
      messages: [{ role: 'user', content }],
      ...{ tools: [], sampling: SAMPLING, maxTokens, onDelta: () => {} },
    });
    return reply.content;
  };
  let tokens = 0;
  const called: Answer = async (turn) => {
    const reply = await direct.complete(turn);
    tokens += reply.tokens;
    return reply.text;
  };
  try {
    const losses: number[] = [];
    // The first turn warms both up.
    for (let turn = 0; turn <= TURNS; turn += 1) {
      const prompts = Array.from({ length: REPEATS }, (_, repeat) => promptOf(turn, repeat));
      const loss = await lossOver(prompts, model.tokens, { called, served });
      if (turn > 0) losses.push(loss);
    }
    const mean = Math.round(tokens / (REPEATS * (TURNS + 1)));
    return series(what, '%', losses, REACH, `${mean} tokens a turn, prompt included in the time`);
  } finally {
    direct.close();
    await handle.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** Percent of speed lost by the server, best time against best time. */
async function lossOver(
  prompts: readonly string[],
  maxTokens: number,
  sides: Record<'called' | 'served', Answer>,
): Promise<number> {
  const best = { called: Infinity, served: Infinity };
  for (const [index, content] of prompts.entries()) {
    const order =
      index % 2 === 0 ? (['called', 'served'] as const) : (['served', 'called'] as const);
    const texts: string[] = [];
    for (const side of order) {
      const ms = await timed(async () => texts.push(await sides[side]({ content, maxTokens })));
      best[side] = Math.min(best[side], ms);
    }
    if (texts[0]?.trim() !== texts[1]?.trim()) throw new Error('the two wrote different texts');
  }
  return 100 * (1 - best.called / best.served);
}

/** Different from its first word on, so that neither side finds it in memory; of one length. */
function promptOf(turn: number, repeat: number): string {
  return `${100 + turn * REPEATS + repeat}: 1, 2, 3, 4,`;
}
