import { entryName } from '../../evaluation/index.ts';
import type { Trajectory } from './types.ts';

/** A part of a path for an attempt: no other one of its task has it, whatever runs are exported. */
export function attemptName({ source, record: { cell } }: Trajectory): string {
  return `${cell.runId}.${entryName(source, cell.entry)}.seed-${cell.seed}`;
}

/** What came of an attempt, in the names that Harbor's results of trials have; ours in `vivarium`. */
export function resultOf(attempt: Trajectory): Record<string, unknown> {
  const { source, record, origin } = attempt;
  const { cell, session, finished } = record;
  const usage = finished?.usage;
  return {
    task_name: origin.task,
    trial_name: attemptName(attempt),
    agent_info: {
      ...{ name: `vivarium-${session.scaffold.name}`, version: source.version },
      model_info: { name: session.model.name },
    },
    agent_result: {
      n_input_tokens: usage?.promptTokens ?? null,
      n_cache_tokens: usage?.cachedTokens ?? null,
      n_output_tokens: usage?.completionTokens ?? null,
    },
    // Harbor asks for numbers only: a reward that nobody knows is in no list.
    verifier_result: { rewards: { ...cell.grading?.rewards, ...rewardOf(cell.reward) } },
    vivarium: {
      ...origin,
      ...{ outcome: cell.outcome, ending: cell.ending, exitReason: cell.exitReason },
      ...{ steps: cell.steps, seconds: cell.seconds, suspicions: cell.suspicions },
      ...{ patch: cell.patch, tests: cell.grading?.tests ?? null },
    },
  };
}

function rewardOf(reward: number | null): { reward?: number } {
  return reward === null ? {} : { reward };
}
