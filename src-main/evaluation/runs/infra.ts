import type { ErrorCode, ExitReason, InfraReason } from '../../contract/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';

/** Faults that every further cell would meet: the run ends, and the cell stays undone. */
const OF_THE_MACHINE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['docker_missing', 'docker_not_running', 'docker_no_permission'] as const),
  ...(['git_missing', 'disk_full', 'store_failed', 'runtime_missing'] as const),
]);

/** Faults that the same task meets again at each further try. */
const OF_THE_TASK: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['image_missing', 'image_unusable', 'hardening_refused', 'workspace_path'] as const),
  ...(['task_invalid', 'task_changed', 'repo_empty'] as const),
]);

/** A fault that says nothing of the model. */
export interface Infra {
  reason: InfraReason;
  detail: string;
  /** Another try may go better. */
  retry: boolean;
}

/** Whether a fault is one that ends the run; everything that is no VivariumError is a fault of ours. */
export function isOfTheMachine(error: unknown): boolean {
  return error instanceof VivariumError && OF_THE_MACHINE.has(error.code);
}

/** What a thrown fault means for the cell that met it. */
export function infraOfError(error: unknown): Infra {
  const detail = messageOf(error);
  if (!(error instanceof VivariumError)) return { reason: 'tool_code', detail, retry: true };
  const reasons: Partial<Record<ErrorCode, InfraReason>> = {
    image_missing: 'image_missing',
    task_changed: 'task_changed',
  };
  const reason = reasons[error.code] ?? 'container_unavailable';
  return { reason, detail, retry: !OF_THE_TASK.has(error.code) };
}

/** What an ending of {@link INFRA_ENDINGS} means. */
export function infraOfEnding(exitReason: ExitReason, detail: string | null): Infra {
  const reasons: Partial<Record<ExitReason, InfraReason>> = {
    llm_query_error: 'model_server',
    workspace_lost: 'container_unavailable',
  };
  return { reason: reasons[exitReason] ?? 'tool_code', detail: detail ?? exitReason, retry: true };
}
