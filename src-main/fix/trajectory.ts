import type { EventOf, StoredEvent } from '../contract/index.ts';
import type { ChatMessage, ToolSpec } from '../models/index.ts';
import { bodiesOf, toChatMessage } from './checkpoint.ts';

/** Facts of a trajectory that are not in the attempt's own events. */
export interface TrajectoryFacts {
  instanceId: string;
  attemptId: string;
  seed: number;
  patch: string;
}

/**
 * An attempt in Leaf's trajectory form (`leaf-function-calling`; microsoft/FrogNano,
 * harness/leaf/agent.py), so that tools made for it can read ours.
 */
export function leafTrajectory(
  events: readonly StoredEvent[],
  facts: TrajectoryFacts,
): Record<string, unknown> {
  const opened = bodiesOf(events, 'attempt.opened').at(-1);
  const steps = bodiesOf(events, 'step.finished');
  const finished = bodiesOf(events, 'attempt.finished').at(-1);
  const messages = [...(opened?.messages ?? []), ...steps.flatMap((step) => step.messages)];
  return {
    trajectory_format: 'leaf-function-calling',
    trajectory_id: facts.attemptId,
    instance_id: facts.instanceId,
    seed: facts.seed,
    messages: messages.map((message) => openAiMessage(toChatMessage(message))),
    tools: (opened?.tools ?? []).map(openAiTool),
    steps: steps.map(leafStep),
    n_steps: steps.length,
    exit_reason: finished?.exitReason ?? 'interrupted',
    error: finished?.detail ?? null,
    final_message: finished?.finalMessage ?? null,
    context_tokens: contextTokens(steps.at(-1)),
    elapsed_sec: finished?.seconds.total ?? null,
    output_patch: facts.patch,
    partial: finished === undefined,
  };
}

/** Prompt and reply of the last turn together, as the server counted them. */
function contextTokens(step: EventOf<'step.finished'> | undefined): number | null {
  if (!step || step.usage.promptTokens === null) return null;
  return step.usage.promptTokens + (step.usage.completionTokens ?? 0);
}

function leafStep({ step, messages }: EventOf<'step.finished'>): Record<string, unknown> {
  const assistant = messages.find((message) => message.role === 'assistant');
  const observations = messages
    .filter((message) => message.role === 'tool')
    .map(({ name, content }) => ({ tool: name, observation: content }));
  return {
    step,
    assistant: assistant ? openAiMessage(toChatMessage(assistant)) : null,
    observations,
  };
}

/** A message as OpenAI-compatible chat completions write it. */
export function openAiMessage(message: ChatMessage): Record<string, unknown> {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = message.toolCalls?.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  return {
    role: 'assistant',
    content: message.content,
    ...(message.reasoning !== undefined && { reasoning_content: message.reasoning }),
    ...(calls && calls.length > 0 && { tool_calls: calls }),
  };
}

/** A tool as OpenAI-compatible chat completions advertise it. */
export function openAiTool({ name, description, parameters }: ToolSpec): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters } };
}
