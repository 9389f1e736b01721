import { z } from 'zod';

/**
 * Every way an attempt can end. The list is closed: an attempt on record always carries exactly one.
 * The first nine are Leaf's own names (microsoft/FrogNano, harness/leaf/agent.py), so that exported
 * trajectories keep their meaning elsewhere; the rest are ours.
 */
export const EXIT_REASONS = {
  agent: 'the model gave its final answer',
  max_turns: 'the step limit was reached',
  max_context_len: 'the context window was full',
  max_tokens_per_turn: 'two replies in a row were cut off at the token limit of a turn',
  max_time: 'the time limit was reached',
  cancelled: 'the user stopped it',
  llm_query_error: 'the model server failed and retries did not help',
  tool_error: 'our own tool code failed',
  unknown: 'an unexpected fault of ours; see the detail',
  loop: 'the model repeated itself and did not react to a warning',
  empty_reply: 'the model kept sending replies without content or calls',
  format_error: 'the model kept sending calls that could not be read',
  workspace_lost: 'the workspace disappeared or stopped answering',
  interrupted: 'the app ended while the attempt ran; it can be resumed',
} as const;

export type ExitReason = keyof typeof EXIT_REASONS;

export const exitReasonSchema = z.enum(Object.keys(EXIT_REASONS) as [ExitReason, ...ExitReason[]]);
