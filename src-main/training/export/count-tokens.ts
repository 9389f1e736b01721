import type { ChatTokenizer } from '../../models/index.ts';
import { rowIn, spaced, textIn, type Reading } from './reading.ts';

/** Tokens of a part of a row, in order. */
export interface Part {
  learned: boolean;
  tokens: number;
}

export interface Counted {
  parts: Part[];
  isEstimate: boolean;
  notes: string[];
}

/** A quarter of the characters. An estimate: no tokenizer and no chat template is asked. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of a row, part by part: of its own, or by the tokenizer, or estimated without one. */
export function countTokens(reading: Reading, tokenizer: ChatTokenizer | undefined): Counted {
  const { turns, mask } = reading;
  if (mask !== null) return { parts: partsOf(mask), isEstimate: false, notes: [] };
  if (tokenizer === undefined || turns.length === 0) return estimated(reading);
  const encoded = tokenizer.encode(
    turns.map(({ message }) => message),
    reading.tools,
    { marks: 'token', learnLineEnds: reading.isFactory },
  );
  if ('why' in encoded) {
    return { ...estimated(reading), notes: [`tokens are estimated: ${encoded.why}`] };
  }
  const begins = turns.findIndex(({ isReply }) => isReply);
  const all = begins !== -1 && turns.slice(begins).every(({ isReply }) => isReply);
  const first = encoded.runs.findIndex(({ learned }) => learned);
  const parts = encoded.runs.map(({ ids, learned }, at) => ({
    learned: learned || (all && first !== -1 && at >= first),
    tokens: ids.length,
  }));
  const [begin] = parts;
  if (begin !== undefined) begin.tokens += unshownTools(reading, encoded.text, tokenizer);
  return { parts, isEstimate: false, notes: [] };
}

/** Tokens of tools that are written into the prompt although the chat template leaves them out. */
function unshownTools(
  { tools, isFactory }: Reading,
  text: string,
  tokenizer: ChatTokenizer,
): number {
  const names = tools.map((tool) => textIn(rowIn(rowIn(tool)['function'])['name']));
  if (!isFactory || names.every((name) => text.includes(`"${name}"`))) return 0;
  return tokenizer.tokenize(spaced(tools)).length;
}

/** Tools stand before the first turn and are only read. */
function estimated({ turns, tools }: Reading): Counted {
  const head = tools.length === 0 ? '' : JSON.stringify(tools);
  const parts = turns.map(({ isReply, text }, at) => ({
    learned: isReply,
    tokens: estimateTokens(at === 0 ? head + text : text),
  }));
  return { parts: joined(parts), isEstimate: true, notes: [] };
}

function partsOf(mask: readonly number[]): Part[] {
  return joined(mask.map((bit) => ({ learned: bit === 1, tokens: 1 })));
}

/** Parts that are read and learned by turns: neighbours of one kind are one. */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const before = found.at(-1);
    if (before?.learned === part.learned) before.tokens += part.tokens;
    else found.push({ ...part });
  }
  return found;
}
