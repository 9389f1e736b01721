import type { EventOf } from '../../../contract/index.ts';
import { openAiTool, tokensOfStep } from '../../../fix/index.ts';
import type { CellRecord, ExportSource } from '../types.ts';
import { ATIF_VERSION, type Atif, type AtifStep } from './schema.ts';
import { stepsOfTurn } from './turn.ts';

/** The last try of a cell as ATIF; `null` when it ended before its first message. */
export function atifOf(record: CellRecord, source: ExportSource): Atif | null {
  const { session, opened, cell, attemptId } = record;
  if (opened === undefined) return null;
  const turns = record.steps.flatMap((step) => stepsOfTurn(step, tokensOfStep(source.store, step)));
  const steps = [...openingSteps(record), ...turns].map((step, index) => ({
    ...step,
    step_id: index + 1,
  }));
  if (steps.length === 0) return null;
  const { scaffold, model } = session;
  return {
    schema_version: ATIF_VERSION,
    session_id: cell.sessionId,
    trajectory_id: attemptId,
    agent: {
      name: `vivarium-${scaffold.name}`,
      version: source.version,
      model_name: model.name,
      ...(opened.tools.length > 0 && { tool_definitions: opened.tools.map(openAiTool) }),
      extra: { scaffold_hash: scaffold.hash, engine: model.engine },
    },
    steps,
    final_metrics: {
      ...counts(record.finished?.usage),
      total_steps: steps.length,
      extra: { model_turns: record.steps.length, seconds: cell.seconds },
    },
    extra: factsOf(record, source),
  };
}

function openingSteps({ opened, events }: CellRecord): Omit<AtifStep, 'step_id'>[] {
  const at = events.find(({ body }) => body.type === 'attempt.opened')?.at ?? 0;
  return (opened?.messages ?? []).map(({ role, content }) => ({
    timestamp: new Date(at).toISOString(),
    source: role === 'system' ? 'system' : role === 'assistant' ? 'agent' : 'user',
    message: content,
  }));
}

function factsOf({ cell, id, number, finished, patch }: CellRecord, { run }: ExportSource) {
  return {
    ...{ instance_id: id, seed: cell.seed, run_id: run.runId, attempt: number },
    ...{ exit_reason: finished?.exitReason ?? 'interrupted', state: cell.state },
    ...{ resolved: cell.resolved, reward: cell.grading?.reward ?? null },
    ...{ outcome: cell.outcome, ending: cell.ending, patch_bytes: patch.length },
  };
}

function counts(usage: EventOf<'attempt.finished'>['usage'] | undefined) {
  const { promptTokens = null, completionTokens = null, cachedTokens = null } = usage ?? {};
  return {
    ...(promptTokens !== null && { total_prompt_tokens: promptTokens }),
    ...(completionTokens !== null && { total_completion_tokens: completionTokens }),
    ...(cachedTokens !== null && { total_cached_tokens: cachedTokens }),
  };
}
