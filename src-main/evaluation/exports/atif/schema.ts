import { z } from 'zod';

/**
 * ATIF v1.8 as far as we write it, as strict as the format's own models (Harbor, models/trajectories):
 * unknown members are refused, step ids have no gap, members of agents stand nowhere else, and an
 * observation names a call of its own step.
 */

export const ATIF_VERSION = 'ATIF-v1.8';

const extra = z.record(z.string(), z.unknown()).optional();
const tokens = z.number().int().nonnegative().optional();
const tokenIds = z.array(z.number().int().nonnegative()).optional();

const toolCallSchema = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra,
});

const stepSchema = z
  .strictObject({
    step_id: z.number().int().positive(),
    timestamp: z.iso.datetime().optional(),
    source: z.enum(['system', 'user', 'agent']),
    message: z.string(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCallSchema).optional(),
    observation: z
      .strictObject({
        results: z.array(
          z.strictObject({ source_call_id: z.string().optional(), content: z.string(), extra }),
        ),
      })
      .optional(),
    metrics: z
      .strictObject({
        prompt_tokens: tokens,
        completion_tokens: tokens,
        cached_tokens: tokens,
        prompt_token_ids: tokenIds,
        completion_token_ids: tokenIds,
        logprobs: z.array(z.number()).optional(),
        extra,
      })
      .optional(),
    llm_call_count: z.literal(1).optional(),
    extra,
  })
  .superRefine((step, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const ofAgents = ['reasoning_content', 'tool_calls', 'metrics', 'llm_call_count'] as const;
    const wrong = ofAgents.find((member) => step[member] !== undefined);
    if (step.source !== 'agent' && wrong !== undefined) {
      refuse(`${wrong} is an agent's only`);
    }
    const calls = new Set((step.tool_calls ?? []).map((call) => call.tool_call_id));
    for (const { source_call_id: id } of step.observation?.results ?? []) {
      if (id !== undefined && !calls.has(id)) refuse(`no call of the step is ${id}`);
    }
  });

export const atifSchema = z.strictObject({
  schema_version: z.literal(ATIF_VERSION),
  session_id: z.string(),
  trajectory_id: z.string(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string(),
    tool_definitions: z.array(z.record(z.string(), z.unknown())).optional(),
    extra,
  }),
  steps: z
    .array(stepSchema)
    .min(1)
    .superRefine((steps, context) => {
      const wrong = steps.findIndex(({ step_id: id }, index) => id !== index + 1);
      if (wrong === -1) return;
      context.addIssue({ code: 'custom', message: `step ${wrong + 1} has another id` });
    }),
  notes: z.string().optional(),
  final_metrics: z.strictObject({
    total_prompt_tokens: tokens,
    total_completion_tokens: tokens,
    total_cached_tokens: tokens,
    total_steps: z.number().int().nonnegative(),
    extra,
  }),
  extra,
});

export type Atif = z.infer<typeof atifSchema>;
export type AtifStep = Atif['steps'][number];
