import type { ExitReason } from '../../contract/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';

/** How an attempt ends. */
export interface Ending {
  exitReason: ExitReason;
  /** One line for people; `null` when the reason says it all. */
  detail: string | null;
  finalMessage: string | null;
}

/** An ending with its reason and, if it needs one, its detail. */
export function ending(exitReason: ExitReason, detail: string | null = null): Ending {
  return { exitReason, detail, finalMessage: null };
}

/** The ending for whatever the model client threw. */
export function endingOfModelError(thrown: unknown): Ending {
  // By name, since rooms below the core share types only.
  if (thrown instanceof Error && thrown.name === 'ContextOverflowError') {
    return ending('max_context_len', messageOf(thrown));
  }
  return endingOfError(thrown, 'llm_query_error');
}

/** The ending for whatever a tool threw: tools answer the model's mistakes, so a throw is ours. */
export function endingOfToolError(thrown: unknown, tool: string): Ending {
  const found = endingOfError(thrown, 'tool_error');
  const detail = `${tool}: ${found.detail ?? messageOf(thrown)}`;
  return found.exitReason === 'workspace_lost' ? found : ending('tool_error', detail);
}

/** The ending for anything else, e.g. what the recorder threw. */
export function endingOfError(thrown: unknown, vivariumReason: ExitReason = 'unknown'): Ending {
  if (!(thrown instanceof VivariumError)) return ending('unknown', messageOf(thrown));
  const detail = `${sentence(messageOf(thrown))} ${thrown.next}`;
  if (thrown.code === 'workspace_lost') return ending('workspace_lost', detail);
  return ending(vivariumReason, detail);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
