import type { Ending, ExitReason } from '../../contract/index.ts';

const ENDINGS: Readonly<Record<ExitReason, Ending>> = {
  agent: 'final_answer',
  max_turns: 'steps',
  max_context_len: 'context',
  max_tokens_per_turn: 'tokens',
  max_time: 'time',
  cancelled: 'stopped',
  interrupted: 'stopped',
  loop: 'loop',
  empty_reply: 'format',
  format_error: 'format',
  llm_query_error: 'infra',
  tool_error: 'infra',
  workspace_lost: 'infra',
  unknown: 'infra',
};

/** How an attempt ended, second axis of the failure analysis; `null` while it has not. */
export function endingOf(exitReason: ExitReason | null): Ending | null {
  return exitReason === null ? null : ENDINGS[exitReason];
}
