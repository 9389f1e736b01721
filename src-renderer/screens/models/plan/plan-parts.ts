import type { ServerPlan } from '../../../../src-main/contract/index.ts';

export type PlanPartId = 'weights' | 'kv' | 'state' | 'engine';

export interface PlanPart {
  id: PlanPartId;
  bytes: number;
  /** Colour of the charts. */
  colour: 1 | 2 | 3 | 4;
}

export interface PlanBar {
  /** Parts that take something, in the order of the bar. */
  parts: PlanPart[];
  totalBytes: number;
  availableBytes: number;
  /** Memory that stays free; 0 when it does not fit. */
  freeBytes: number;
  /** What is missing; 0 when it fits. */
  overBytes: number;
  /** The whole length of the bar: what is available, or what is wanted where that is more. */
  wholeBytes: number;
}

/** A plan's memory as parts of a bar. */
export function planBar({ estimate, availableBytes }: ServerPlan): PlanBar {
  const all: PlanPart[] = [
    { id: 'weights', bytes: estimate.weightsBytes, colour: 1 },
    { id: 'kv', bytes: estimate.kvBytes, colour: 2 },
    { id: 'state', bytes: estimate.stateBytes, colour: 4 },
    { id: 'engine', bytes: estimate.overheadBytes, colour: 3 },
  ];
  const { totalBytes } = estimate;
  return {
    parts: all.filter(({ bytes }) => bytes > 0),
    totalBytes,
    availableBytes,
    freeBytes: Math.max(0, availableBytes - totalBytes),
    overBytes: Math.max(0, totalBytes - availableBytes),
    wholeBytes: Math.max(availableBytes, totalBytes, 1),
  };
}

/** A command line as a person reads it: each flag on a line of its own, quoted where a shell asks for it. */
export function commandText(words: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, word] of words.entries()) {
    const quoted = quote(word);
    const last = lines.at(-1);
    const belongs = index > 0 && !word.startsWith('-') && last !== undefined;
    if (belongs) lines[lines.length - 1] = `${last} ${quoted}`;
    else lines.push(quoted);
  }
  return lines.map((line, index) => (index === 0 ? line : `  ${line}`)).join(' \\\n');
}

function quote(word: string): string {
  if (/^[\w@%+=:,./*-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
