import { VivariumError } from '../../lib/index.ts';
import type { BenchResult } from '../servers/types.ts';
import type { ChatMessage, Completion, ToolSpec } from '../types.ts';
import { ContextOverflowError } from '../types.ts';
import type { BenchRun, PromptSpeed } from './run.ts';

const TURNS = 10;
/** Tokens that each turn adds at most: about what a tool prints. */
const MAX_TURN_TOKENS = 400;
/** Around each message, as templates write them, and the call before it. */
const OVERHEAD_TOKENS = 48;
const LEAST_WORDS = 4;
const TURN_SECONDS = 2;
const REPLY_TOKENS = 4;

const READ: ToolSpec = {
  name: 'Read',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { file_path: { type: 'string' } },
    required: ['file_path'],
  },
};

/** How a turn goes on from the one before. */
type Style = 'tool' | 'user';

/**
 * Ten turns, each with all of the one before and one more result of a tool, as an agent sends them:
 * what a server does not find in its memory then, it reads again at every step of a fix. Models
 * whose template knows no tools get the results as messages of the user.
 */
export async function growingTurns(
  run: BenchRun,
  speed: PromptSpeed,
): Promise<BenchResult['turns']> {
  const words = wordsPerTurn(run, speed);
  try {
    return await takeTurns(run, words, 'tool');
  } catch (error) {
    if (!(error instanceof VivariumError) || error.code !== 'endpoint_error') throw error;
    return takeTurns(run, words, 'user');
  }
}

function wordsPerTurn(run: BenchRun, { tokensPerSecond, tokensPerWord }: PromptSpeed): number {
  const room = Math.floor((0.9 * run.windowTokens) / TURNS) - OVERHEAD_TOKENS;
  const inTime = Math.floor((tokensPerSecond ?? 100) * TURN_SECONDS);
  const tokens = Math.min(MAX_TURN_TOKENS, room, inTime);
  return Math.max(LEAST_WORDS, Math.floor(tokens / tokensPerWord));
}

async function takeTurns(
  run: BenchRun,
  words: number,
  style: Style,
): Promise<BenchResult['turns']> {
  const tools = style === 'tool' ? [READ] : [];
  const messages: ChatMessage[] = [
    // Made up anew, so that the first turn finds nothing.
    { role: 'system', content: `You read notes. ${run.words.take(LEAST_WORDS)}` },
    { role: 'user', content: run.words.take(words) },
  ];
  const turns: BenchResult['turns'] = [];
  let before: number | null = null;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    run.progress(`turn ${turn} of ${TURNS}`);
    const reply = await askOrFull(run, messages, tools);
    if (reply === null) break;
    turns.push(toRow(turn, before, reply));
    before = reply.usage.promptTokens;
    messages.push(...nextMessages(style, turn, run.words.take(words)));
  }
  return turns;
}

/** `null` when the window is full, which ends the measurement: it was smaller than thought. */
async function askOrFull(
  run: BenchRun,
  messages: readonly ChatMessage[],
  tools: readonly ToolSpec[],
): Promise<Completion | null> {
  try {
    return await run.ask(messages, REPLY_TOKENS, tools);
  } catch (error) {
    if (error instanceof ContextOverflowError) return null;
    throw error;
  }
}

function toRow(
  turn: number,
  before: number | null,
  reply: Completion,
): BenchResult['turns'][number] {
  const { promptTokens, cachedTokens } = reply.usage;
  const known = before !== null && before > 0 && cachedTokens !== null;
  return {
    turn,
    promptTokens,
    cachedTokens,
    // The reply before may be in memory too, which is more than was sent.
    reusedShare: known ? Math.min(1, cachedTokens / before) : null,
    firstTokenMs: reply.timings.firstTokenMs,
  };
}

/** What the model really wrote is not kept: four tokens are no call, and all runs are alike so. */
function nextMessages(style: Style, turn: number, text: string): ChatMessage[] {
  if (style === 'user') {
    return [
      { role: 'assistant', content: 'Go on.' },
      { role: 'user', content: text },
    ];
  }
  const id = `call_${turn}`;
  const call = { id, name: READ.name, arguments: `{"file_path": "notes_${turn}.txt"}` };
  return [
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: id, name: READ.name, content: text },
  ];
}
