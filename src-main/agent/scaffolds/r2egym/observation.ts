import type { Outcome } from './outcome.ts';

/** Lines kept of each end of a long output of `execute_bash`. */
const KEPT_LINES = 40;
/** Ours: single lines can be megabytes, which the original would pass on. */
const MOST_CHARACTERS = 30_000;
const DIVIDER = '-'.repeat(50);
const CUT = `${DIVIDER}\n<Observation truncated in middle for saving context>\n${DIVIDER}`;

/** The text of an observation, in the original's form (R2E-Gym, observation/observation.py). */
export function observationText(name: string, outcome: Outcome): string {
  const { exitCode, output, help } = outcome;
  const shown = exitCode === undefined ? bounded(output) : bounded(withoutMiddle(output));
  const head = exitCode === undefined ? '' : `Exit code: ${exitCode}\n`;
  const text = `${head}Execution output of [${name}]:\n${shown}`;
  if (help.length === 0) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${help.map((line) => `[${line}]`).join('\n')}`;
}

function withoutMiddle(output: string): string {
  const lines = output.replace(/\n$/, '').split('\n');
  if (lines.length <= 2 * KEPT_LINES) return output;
  return `${lines.slice(0, KEPT_LINES).join('\n')}\n${CUT}\n${lines.slice(-KEPT_LINES).join('\n')}`;
}

function bounded(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const half = MOST_CHARACTERS / 2;
  const head = text.slice(0, half).toWellFormed();
  return `${head}\n${CUT}\n${text.slice(-half).toWellFormed()}`;
}
