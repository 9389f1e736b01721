import type { BenchResult } from '../../../contract/index.ts';
import { formatSize } from '../../../lib/index.ts';
import { formatCount, formatSeconds } from './format.ts';
import { oneLine } from './safe-text.ts';

type Turn = BenchResult['turns'][number];

/** Below this a server reads so much again that a fix takes many times longer. */
const ENOUGH_REUSED = 0.8;
const HEADING = ['TURN', 'PROMPT', 'FROM MEMORY', 'FIRST TOKEN'];

/** What `vivarium models bench` prints: the figures, then one line for each growing turn. */
export function renderBench(result: BenchResult): string {
  const { loadSeconds, memory } = result;
  const facts: [string, string][] = [
    ['loaded in', loadSeconds === null ? 'it was running already' : formatSeconds(loadSeconds)],
    ['new prompt', speed(result.promptTokensPerSecond)],
    ['generation', speed(result.generatedTokensPerSecond)],
    ['first token', after(result.firstTokenMs)],
    ...(memory === null ? [] : [['memory', memoryText(memory)] as [string, string]]),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = [
    oneLine(result.name),
    ...facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...(result.turns.length === 0
      ? []
      : ['', ...turnTable(result.turns), '', verdict(result.turns)]),
  ];
  return `${lines.join('\n')}\n`;
}

function speed(tokensPerSecond: number | null): string {
  if (tokensPerSecond === null) return 'the server does not say';
  const digits = tokensPerSecond < 100 ? 1 : 0;
  const figure = tokensPerSecond.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${figure} tokens/s`;
}

function after(ms: number | null): string {
  return ms === null ? '?' : formatSeconds(ms / 1000);
}

function memoryText({ estimatedBytes, measuredBytes, ratio }: NonNullable<Memory>): string {
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  const difference = percent === 0 ? 'as estimated' : `${percent} % ${ratio > 1 ? 'more' : 'less'}`;
  const estimate = `the estimate was ${formatSize(estimatedBytes)}`;
  return `${formatSize(measuredBytes)} (${difference}${percent === 0 ? '' : `; ${estimate}`})`;
}

type Memory = BenchResult['memory'];

/** Figures stand under each other by their ends. */
function turnTable(turns: readonly Turn[]): string[] {
  const rows = [HEADING, ...turns.map(cells)];
  const widths = HEADING.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '),
  );
}

function cells({ turn, promptTokens, cachedTokens, reusedShare, firstTokenMs }: Turn): string[] {
  const share = reusedShare === null ? '' : ` (${Math.floor(reusedShare * 100)} %)`;
  return [
    String(turn),
    formatCount(promptTokens),
    `${formatCount(cachedTokens)}${share}`,
    after(firstTokenMs),
  ];
}

function verdict(turns: readonly Turn[]): string {
  const known = turns.flatMap(({ turn, reusedShare }) =>
    reusedShare === null ? [] : [{ turn, reusedShare }],
  );
  const [first, ...others] = known;
  if (first === undefined) return 'The server does not say what it found in its memory.';
  const worst = others.reduce((a, b) => (b.reusedShare < a.reusedShare ? b : a), first);
  const percent = `${Math.floor(worst.reusedShare * 100)} %`;
  if (worst.reusedShare >= 1) return 'Each turn found all of what was sent before in memory.';
  if (worst.reusedShare >= ENOUGH_REUSED) {
    return `Each turn found ${percent} or more of what was sent before in memory.`;
  }
  return `Turn ${worst.turn} found only ${percent} of what was sent before in memory; the rest was read again.`;
}
