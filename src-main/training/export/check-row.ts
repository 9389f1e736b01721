import type { ChatTokenizer } from '../../models/index.ts';
import { countTokens, type Part } from './count-tokens.ts';
import { readFactory } from './read-factory.ts';
import { readTrl } from './read-trl.ts';
import type { Reading } from './reading.ts';
import type { RowCheck, RowFormat } from './types.ts';

/** LLaMA-Factory's `cutoff_len`; TRL's `max_length` is to be given alike. */
export const CUTOFF = 2048;

export interface CheckOptions {
  cutoff: number;
  tokenizer?: ChatTokenizer | undefined;
}

/** Reads a row by the rules of the importer that its form is for. */
export function checkRow(
  format: RowFormat,
  value: Record<string, unknown>,
  options: CheckOptions,
): RowCheck {
  const readings = isOfTrl(format) ? readTrl(value) : [readFactory(format, value)];
  const checks = readings.map((one) => checkReading(one, format, options));
  const [first, ...others] = checks.toSorted((a, b) => weight(b) - weight(a));
  if (first === undefined) throw new Error('a row has at least one reading');
  return { ...first, notes: [...new Set([first, ...others].flatMap(({ notes }) => notes))] };
}

/** The worst of a pair speaks for it. */
function weight({ verdict, tokens }: RowCheck): number {
  return verdict === 'skipped' ? Infinity : tokens;
}

function checkReading(reading: Reading, format: RowFormat, options: CheckOptions): RowCheck {
  const isTrl = isOfTrl(format);
  const { parts, isEstimate, notes: counting } = countTokens(reading, options.tokenizer);
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const notes = [...reading.notes, ...counting];
  const { learned, masked } = (isTrl ? cutEnd : cutPairs)(parts, options.cutoff);
  // TRL drops a row whose cut leaves nothing to learn.
  const skipped = reading.skipped ?? (isTrl && learned === 0 ? NO_REPLY : null);
  if (skipped !== null) {
    return {
      ...{ verdict: 'skipped', notes: [skipped, ...notes], tokens, isEstimate },
      ...{ learned: 0, masked: 0, cut: tokens },
    };
  }
  const cut = tokens - learned - masked;
  const marks = reading.turns.some(({ text }) => /<\|[^|\s<>]{1,40}\|>/.test(text));
  const more = marks ? ['holds marks like <|...|>, which a tokenizer may take for its own'] : [];
  const none = learned === 0 ? [NO_REPLY] : [];
  return {
    ...{ verdict: cut > 0 ? 'cut' : 'whole', notes: [...notes, ...none, ...more] },
    ...{ tokens, isEstimate, learned, masked, cut },
  };
}

const NO_REPLY = 'no reply is left of it';

/** Whether TRL reads the form, and not LLaMA-Factory. */
function isOfTrl(format: RowFormat): boolean {
  return format === 'trl' || format === 'preference';
}

/** TRL: what goes over the limit is cut from the end. */
function cutEnd(parts: readonly Part[], cutoff: number): { learned: number; masked: number } {
  const kept = { learned: 0, masked: 0 };
  let room = cutoff;
  for (const { learned, tokens } of parts) {
    const taken = Math.min(room, tokens);
    room -= taken;
    kept[learned ? 'learned' : 'masked'] += taken;
  }
  return kept;
}

/**
 * LLaMA-Factory: prompt and reply by pairs while there is room; in the pair that goes over it, a
 * short side stays whole and two long ones share what is left by their lengths
 * (`infer_seqlen` of its data/processor).
 */
export function cutPairs(
  parts: readonly Part[],
  cutoff: number,
): { learned: number; masked: number } {
  const kept = { learned: 0, masked: 0 };
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const room = cutoff - kept.learned - kept.masked;
    if (room <= 0) break;
    const source = parts[at]?.tokens ?? 0;
    const target = parts[at + 1]?.tokens ?? 0;
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
