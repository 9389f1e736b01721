import type { EventOf } from '../../../contract/index.ts';
import type { TurnTokens } from '../../../models/index.ts';
import { jsonObject } from '../json-object.ts';
import type { AtifStep } from './schema.ts';

type Turn = EventOf<'step.finished'> & { at: number };
type Message = Turn['messages'][number];
type Assistant = Extract<Message, { role: 'assistant' }>;
type Step = Omit<AtifStep, 'step_id'>;

/**
 * A turn of the model as steps: its reply with calls and their results, then what else it was told.
 * Results that a scaffold hands over as a user turn are the observation of the calls in the text.
 */
export function stepsOfTurn(turn: Turn, tokens: TurnTokens | null): Step[] {
  const timestamp = new Date(turn.at).toISOString();
  const reply = turn.messages.find((message): message is Assistant => message.role === 'assistant');
  const calls = toolCallsOf(turn, reply);
  const { results, rest } = resultsOf(turn, new Set(calls.map((call) => call.tool_call_id)));
  const agent: Step = {
    timestamp,
    source: 'agent',
    message: reply?.content ?? '',
    ...(reply?.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(results.length > 0 && { observation: { results } }),
    metrics: { ...metricsOf(turn), ...tokensOf(tokens) },
    llm_call_count: 1,
    ...(turn.notes.length > 0 && { extra: { notes: turn.notes } }),
  };
  const told = rest.map((message): Step => ({
    timestamp,
    source: message.role === 'system' ? 'system' : 'user',
    message: message.content,
  }));
  return [agent, ...told];
}

function toolCallsOf(turn: Turn, reply: Assistant | undefined) {
  const apart = (reply?.toolCalls ?? []).map((call) => ({
    id: call.id,
    name: call.name,
    given: call.arguments,
  }));
  const inText = turn.observations.flatMap(({ callId, tool, arguments: given }) =>
    given === undefined ? [] : [{ id: callId, name: tool, given }],
  );
  return [...apart, ...inText].map(({ id, name, given }) => {
    const read = jsonObject(given);
    return {
      tool_call_id: id,
      function_name: name,
      arguments: read ?? {},
      // Never run then, but it is what the model wrote.
      ...(read === null && { extra: { raw_arguments: given } }),
    };
  });
}

function resultsOf(turn: Turn, calls: ReadonlySet<string>) {
  const seen = new Map(turn.observations.map((observation) => [observation.callId, observation]));
  const results = turn.messages.flatMap((message) =>
    message.role === 'tool'
      ? [
          {
            ...(calls.has(message.toolCallId) && { source_call_id: message.toolCallId }),
            content: message.content,
            ...factsOf(seen.get(message.toolCallId)),
          },
        ]
      : [],
  );
  const others = turn.messages.filter(({ role }) => role !== 'assistant' && role !== 'tool');
  const [first, ...rest] = others;
  const isAnswer = results.length === 0 && turn.observations.length > 0 && first !== undefined;
  if (!isAnswer) return { results, rest: others };
  const [only, another] = turn.observations;
  const named = only !== undefined && another === undefined && calls.has(only.callId);
  const result = {
    ...(named && { source_call_id: only.callId }),
    content: first.content,
    ...factsOf(another === undefined ? only : undefined),
  };
  return { results: [result], rest };
}

function factsOf(observation: Turn['observations'][number] | undefined) {
  if (observation === undefined) return {};
  const { isError, durationMs, run } = observation;
  const exitCode = run?.exitCode ?? null;
  const extra = { is_error: isError, duration_ms: durationMs };
  return { extra: exitCode === null ? extra : { ...extra, exit_code: exitCode } };
}

function tokensOf(tokens: TurnTokens | null) {
  const { prompt = null, completion = null, logprobs = null } = tokens ?? {};
  return {
    ...(prompt !== null && { prompt_token_ids: prompt }),
    ...(completion !== null && { completion_token_ids: completion }),
    ...(logprobs !== null && { logprobs }),
  };
}

function metricsOf({ usage, timings }: Turn) {
  const { promptTokens, completionTokens, cachedTokens } = usage;
  const { modelMs, firstTokenMs, toolsMs } = timings;
  return {
    ...(promptTokens !== null && { prompt_tokens: promptTokens }),
    ...(completionTokens !== null && { completion_tokens: completionTokens }),
    ...(cachedTokens !== null && { cached_tokens: cachedTokens }),
    extra: { model_ms: modelMs, first_token_ms: firstTokenMs, tools_ms: toolsMs },
  };
}
