import { lineNumberAt, splitLines } from '../text/lines.ts';

const MAX_FILE_LINES = 20_000;
const MAX_OLD_LINES = 40;
const SHOWN_LINES = 12;
const SHOWN_WIDTH = 200;
/** Below this likeness (Dice's coefficient of letter pairs) a line says more wrong than right. */
const LEAST_LIKENESS = 0.6;

/**
 * Where old_string probably was meant, for the text of an error only: never a reason to edit.
 * Lines are shown as Read shows them; `null` when nothing in the file is like it.
 */
export function nearestLines(file: string, old: string): string | null {
  const lines = splitLines(file).slice(0, MAX_FILE_LINES);
  const wanted = splitLines(old).slice(0, MAX_OLD_LINES);
  const start = voteByEqualLines(lines, wanted) ?? voteByLikeness(lines, wanted);
  if (start === undefined) return null;
  const first = Math.max(0, start);
  const shown = lines.slice(first, first + Math.min(SHOWN_LINES, Math.max(wanted.length, 1)));
  const numbered = shown.map(
    (line, index) => `${first + index + 1}. ${line.slice(0, SHOWN_WIDTH)}`,
  );
  const differs = wanted.findIndex((line, index) => lines[start + index] !== line);
  const place =
    wanted.length > 1 && differs >= 0 && start + differs >= 0
      ? ` (the first difference is in line ${start + differs + 1})`
      : '';
  return `The nearest lines are${place}:\n${numbered.join('\n')}`;
}

/** The line where new_string already stands; `null` when it does not, or is too short to tell. */
export function alreadyApplied(file: string, wanted: string): number | null {
  const plain = file.replaceAll('\r\n', '\n');
  if (wanted.trim().length < 8) return null;
  const at = plain.indexOf(wanted);
  return at === -1 ? null : lineNumberAt(plain, at);
}

/** Start of the window with the most (longest) lines equal to the wanted ones at their places. */
function voteByEqualLines(lines: string[], wanted: string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const key = line.trim();
    if (key.length < 3) continue;
    const list = places.get(key);
    if (list) list.push(index);
    else places.set(key, [index]);
  }
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const key = line.trim();
    for (const place of (places.get(key) ?? []).slice(0, 200)) {
      votes.set(place - offset, (votes.get(place - offset) ?? 0) + key.length);
    }
  }
  return highest(votes);
}

function voteByLikeness(lines: string[], wanted: string[]): number | undefined {
  const longest = wanted
    .map((line, offset) => ({ key: line.trim().slice(0, SHOWN_WIDTH), offset }))
    .filter(({ key }) => key.length >= 3)
    .sort((a, b) => b.key.length - a.key.length)
    .slice(0, 3)
    .map(({ key, offset }) => ({ key, offset, pairs: letterPairs(key) }));
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const key = line.trim().slice(0, SHOWN_WIDTH);
    for (const one of longest) {
      if (key.length * 2 < one.key.length || one.key.length * 2 < key.length) continue;
      const like = dice(letterPairs(key), one.pairs);
      if (like < LEAST_LIKENESS) continue;
      votes.set(index - one.offset, (votes.get(index - one.offset) ?? 0) + like);
    }
  }
  return highest(votes);
}

function highest(votes: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [place, weight] of votes) {
    if (best === undefined || weight > (votes.get(best) ?? 0)) best = place;
  }
  return best;
}

/** How alike other texts are to this one, 0 to 1. */
export function likenessTo(text: string): (other: string) => number {
  const pairs = letterPairs(text);
  return (other) => (other === text ? 1 : dice(letterPairs(other), pairs));
}

function letterPairs(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function dice(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const [pair, count] of a) {
    all += count;
    common += Math.min(count, b.get(pair) ?? 0);
  }
  for (const count of b.values()) all += count;
  return all === 0 ? 0 : (2 * common) / all;
}
