import type { LogReading } from '../../servers/types.ts';

/** A milestone of a start: the pattern of its line and what is said of it. */
export interface Milestone {
  pattern: RegExp;
  progress: (match: RegExpExecArray) => string;
}

/** Lines are searched from the start; a longer one is data, not a milestone. */
const MAX_SEARCHED_LENGTH = 2_000;

/** What a line says about the start, by the first milestone that it is; empty otherwise. */
export function readMilestone(line: string, milestones: readonly Milestone[]): LogReading {
  const searched = line.slice(0, MAX_SEARCHED_LENGTH);
  for (const { pattern, progress } of milestones) {
    const match = pattern.exec(searched);
    if (match) return { progress: progress(match) };
  }
  return {};
}

/** The counter of weight files that vLLM and SGLang both print with tqdm. */
export const SHARDS: Milestone = {
  pattern:
    /Loading (?:safetensors|pt|pytorch bin) checkpoint shards:\s+(\d+)% Completed \| (\d+)\/(\d+)/i,
  progress: ([, , done = '', all = '']) => `loading weights (${done} of ${all} files)`,
};
