import { readFactory, readTrl, type Reading, type Turn } from './importers.ts';
import type { RowCheck, RowFormat } from './types.ts';

/** LLaMA-Factory's `cutoff_len`; TRL's `max_length` is to be given alike. */
export const CUTOFF = 2048;

/** A quarter of the characters. An estimate: no tokenizer and no chat template is asked. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Reads a row by the rules of the importer that its form is for. */
export function checkRow(
  format: RowFormat,
  value: Record<string, unknown>,
  cutoff: number,
): RowCheck {
  const isTrl = format === 'trl' || format === 'preference';
  const readings = isTrl ? readTrl(value) : [readFactory(format, value)];
  const checks = readings.map((one) => checkReading(one, cutoff, isTrl ? cutEnd : cutPairs));
  const [first, ...others] = checks.toSorted((a, b) => weight(b) - weight(a));
  if (first === undefined) throw new Error('a row has at least one reading');
  return { ...first, notes: [...new Set([first, ...others].flatMap(({ notes }) => notes))] };
}

/** The worst of a pair speaks for it. */
function weight({ verdict, tokens }: RowCheck): number {
  return verdict === 'skipped' ? Infinity : tokens;
}

type Cut = (turns: readonly Turn[], cutoff: number) => { learned: number; masked: number };

function checkReading({ turns, skipped, notes }: Reading, cutoff: number, cutBy: Cut): RowCheck {
  const tokens = turns.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  if (skipped !== null) {
    return {
      ...{ verdict: 'skipped', notes: [skipped, ...notes], tokens },
      ...{ learned: 0, masked: 0, cut: tokens },
    };
  }
  const { learned, masked } = cutBy(turns, cutoff);
  const cut = tokens - learned - masked;
  const marks = turns.some(({ text }) => /<\|[^|\s<>]{1,40}\|>/.test(text));
  const more = marks ? ['holds marks like <|...|>, which a tokenizer may take for its own'] : [];
  const none = learned === 0 ? ['no reply is left of it'] : [];
  return {
    ...{ verdict: cut > 0 ? 'cut' : 'whole', notes: [...notes, ...none, ...more] },
    ...{ tokens, learned, masked, cut },
  };
}

/** TRL: what goes over the limit is cut from the end. */
function cutEnd(turns: readonly Turn[], cutoff: number): { learned: number; masked: number } {
  const kept = { learned: 0, masked: 0 };
  let room = cutoff;
  for (const { isReply, text } of turns) {
    const taken = Math.min(room, estimateTokens(text));
    room -= taken;
    kept[isReply ? 'learned' : 'masked'] += taken;
  }
  return kept;
}

/**
 * LLaMA-Factory: prompt and reply by pairs while there is room; in the pair that goes over it, a
 * short side stays whole and two long ones share what is left by their lengths
 * (`infer_seqlen` of its data/processor).
 */
function cutPairs(turns: readonly Turn[], cutoff: number): { learned: number; masked: number } {
  const kept = { learned: 0, masked: 0 };
  for (let at = 0; at + 1 < turns.length; at += 2) {
    const room = cutoff - kept.learned - kept.masked;
    if (room <= 0) break;
    const source = estimateTokens(turns[at]?.text ?? '');
    const target = estimateTokens(turns[at + 1]?.text ?? '');
    const most = mostOfTarget(source, target, room);
    const takenTarget = Math.min(most, target);
    kept.learned += takenTarget;
    kept.masked += Math.min(room - takenTarget, source);
  }
  return kept;
}

function mostOfTarget(source: number, target: number, room: number): number {
  if (target * 2 < room) return room;
  if (source * 2 < room) return room - source;
  return Math.floor(room * (target / (source + target)));
}
