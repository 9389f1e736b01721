import type { EventOf, ExitReason } from '../../contract/index.ts';
import { testOutput } from './leaf-trajectory.ts';
import { lenientText } from './text.ts';
import type { CellRecord, ExportSource } from './types.ts';

type Step = EventOf<'step.finished'>;

/** In the form's whole numbers, which know no absence: never counted, or never limited. */
const UNKNOWN = -1;
/** What the original answers a call of `finish` with. */
const FINISHED = '<<< Finished >>>';

/** Names of endings as R2E-Gym has them; the others keep ours. */
const EXIT_REASONS: Partial<Record<ExitReason, string>> = {
  max_turns: 'max_step_limit',
  max_context_len: 'token_limit',
  max_time: 'traj_time_limit',
};

/** Whether the calls of an attempt stand in its text, as R2E-Gym has them. */
export function hasCallsInText({ opened, session }: CellRecord): boolean {
  // One that ended before its first message is told by its scaffold.
  return opened === undefined ? session.scaffold.name === 'r2egym' : opened.tools.length === 0;
}

/**
 * The last try of a cell in R2E-Gym's form (its trajectory/trajectory.py): one line of the JSONL
 * that its readers take.
 */
export function r2egymRecord(record: CellRecord, source: ExportSource): Record<string, unknown> {
  const { cell, session, steps, finished, id } = record;
  const { request, model } = session;
  const entry = source.created.entries[cell.entry];
  const image = typeof request['image'] === 'string' ? request['image'] : '';
  const exitReason = finished?.exitReason ?? 'interrupted';
  const maxSteps = wholeOf(request['maxSteps']);
  const timeLimitMs = wholeOf(request['timeLimitMs']);
  return {
    trajectory_steps: stepsOf(record),
    problem_statement: session.issue,
    docker_image: image,
    exp_name: source.run.name,
    env_args: { ds: { instance_id: id, docker_image: image } },
    agent_args: { name: entry?.scaffoldName ?? session.scaffold.name, llm_name: model.name },
    ds: { instance_id: id, seed: cell.seed },
    ...{ max_steps: maxSteps, max_steps_absolute: maxSteps },
    max_token_limit: wholeOf(request['maxContextTokens']),
    ...{ max_llm_time: UNKNOWN, max_exec_time: UNKNOWN },
    max_total_time: timeLimitMs === UNKNOWN ? UNKNOWN : Math.round(timeLimitMs / 1000),
    total_context: contextOf(steps.at(-1)),
    exit_reason: EXIT_REASONS[exitReason] ?? exitReason,
    output_patch: lenientText(record.patch),
    reward: cell.grading?.reward ?? null,
    reward_calc_time: cell.grading?.seconds ?? null,
    test_output: testOutput(cell.grading, source),
  };
}

function stepsOf({ steps, finished }: CellRecord): Record<string, unknown>[] {
  let totalMs = 0;
  return steps.map((step, index) => {
    const { timings, usage } = step;
    const stepMs = timings.modelMs + timings.toolsMs + timings.ownMs;
    totalMs += stepMs;
    const said = assistantText(step);
    const isLast = index === steps.length - 1 && finished !== undefined;
    const isFinal = isLast && finished.exitReason === 'agent';
    return {
      step_idx: index,
      ...thoughtAndAction(said, step.observations[0]?.tool),
      observation: observationText(step) ?? (isFinal ? FINISHED : ''),
      done: isLast,
      info: { notes: step.notes },
      assistant_message: said,
      token_usage_prompt: usage.promptTokens ?? UNKNOWN,
      token_usage_completion: usage.completionTokens ?? UNKNOWN,
      token_usage_total: totalTokens(step) ?? UNKNOWN,
      llm_exec_time: timings.modelMs / 1000,
      env_exec_time: timings.toolsMs / 1000,
      total_step_time: stepMs / 1000,
      total_time_traj: totalMs / 1000,
      step_count: index + 1,
    };
  });
}

function assistantText({ messages }: Step): string {
  return messages.find(({ role }) => role === 'assistant')?.content ?? '';
}

/** Observations are user turns; `undefined` when the step has none. */
function observationText({ messages }: Step): string | undefined {
  const after = messages.filter(({ role }) => role !== 'assistant');
  return after.length === 0 ? undefined : after.map(({ content }) => content).join('\n\n');
}

/**
 * The history keeps a turn as thought, empty line, call. Code inside the call may hold another one,
 * so the beginning is looked for by the name of what was run.
 */
export function thoughtAndAction(
  text: string,
  ran: string | undefined,
): { thought: string; action: string } {
  const starts = [...text.matchAll(/(?:^|\n\n)(?=<function=([^>\n]*)>)/g)];
  const start = starts.find(([, name]) => name === ran) ?? starts.at(-1);
  if (start === undefined) return { thought: text, action: '' };
  return {
    thought: text.slice(0, start.index),
    action: text.slice(start.index + start[0].length),
  };
}

function totalTokens({ usage }: Step): number | null {
  const { promptTokens, completionTokens } = usage;
  return promptTokens === null ? null : promptTokens + (completionTokens ?? 0);
}

function contextOf(step: Step | undefined): number | null {
  return step === undefined ? null : totalTokens(step);
}

function wholeOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : UNKNOWN;
}
