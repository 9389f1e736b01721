import type { EventOf } from '../../../contract/index.ts';
import type { CellRecord, ExportSource } from '../types.ts';
import { messageContent, toolContent, verdictContent } from './content.ts';
import { EVALUATION_EVENT, NAMES, SCHEMA_URL } from './conventions.ts';
import { attributesOf, idOf, nanoseconds, type Span } from './values.ts';

type Turn = CellRecord['steps'][number];
type Observation = EventOf<'step.finished'>['observations'][number];

export interface SpanOptions {
  /** Prompts, replies, arguments and outputs too. */
  content: boolean;
}

/** What is common to the spans of an attempt. */
interface Trace {
  record: CellRecord;
  traceId: string;
  rootId: string;
  options: SpanOptions;
}

/** The last try of a cell as one trace, in the form of a request to `/v1/traces`. */
export function tracesOf(
  record: CellRecord,
  source: ExportSource,
  options: SpanOptions,
): { resourceSpans: unknown[] } {
  const { attemptId } = record;
  const traceId = idOf(16, source.run.runId, attemptId);
  const trace: Trace = { record, traceId, rootId: idOf(8, attemptId, 'attempt'), options };
  const turns = record.steps.flatMap((turn, index) => turnSpans(trace, turn, index));
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'vivarium',
            'service.version': source.version,
          }),
        },
        scopeSpans: [
          {
            scope: { name: 'vivarium', version: source.version },
            spans: [attemptSpan(trace, source, turns), ...turns],
            schemaUrl: SCHEMA_URL,
          },
        ],
        schemaUrl: SCHEMA_URL,
      },
    ],
  };
}

function attemptSpan(
  { record, traceId, rootId, options }: Trace,
  source: ExportSource,
  turns: readonly Span[],
): Span {
  const { cell, session, finished, events } = record;
  const { scaffold, model } = session;
  const begun = nanoseconds(events[0]?.at ?? cell.startedAt);
  // The reckoned begin of the first turn may lie before the clock's word for the attempt's.
  const start = [begun, ...turns.map((span) => span.startTimeUnixNano)].reduce(earlier);
  const end = nanoseconds(
    events.findLast(({ body }) => body.type === 'attempt.finished')?.at ??
      events.at(-1)?.at ??
      cell.startedAt,
  );
  const reason = finished?.exitReason ?? 'interrupted';
  const usage = finished?.usage;
  return {
    ...{ traceId, spanId: rootId, name: `invoke_agent ${scaffold.name}`, kind: 1 },
    ...{ startTimeUnixNano: start, endTimeUnixNano: end },
    attributes: attributesOf({
      ...{ [NAMES.operation]: 'invoke_agent', [NAMES.provider]: model.engine },
      ...{ [NAMES.agentName]: scaffold.name, [NAMES.agentVersion]: scaffold.hash },
      ...{ [NAMES.model]: model.name, [NAMES.seed]: cell.seed },
      [NAMES.conversation]: cell.sessionId,
      [NAMES.inputTokens]: usage?.promptTokens,
      [NAMES.outputTokens]: usage?.completionTokens,
      [NAMES.cachedTokens]: usage?.cachedTokens,
      ...(reason === 'agent' ? {} : { [NAMES.errorType]: reason }),
      ...{ 'vivarium.run.id': source.run.runId, 'vivarium.run.name': source.run.name },
      ...{ 'vivarium.task': record.id, 'vivarium.attempt.number': record.number },
      ...{ 'vivarium.exit_reason': reason, 'vivarium.state': cell.state },
      ...{ 'vivarium.outcome': cell.outcome, 'vivarium.steps': record.steps.length },
    }),
    events: verdictEvents(record, options),
    ...(cell.state === 'infra' && { status: { code: 2 } }),
  };
}

function verdictEvents(
  { cell, events }: CellRecord,
  options: SpanOptions,
): NonNullable<Span['events']> {
  const { grading } = cell;
  if (grading === null) return [];
  const at = events.findLast(({ body }) => body.type === 'grading.finished')?.at;
  const isInfra = grading.state === 'infra';
  return [
    {
      timeUnixNano: nanoseconds(at ?? cell.finishedAt ?? cell.startedAt),
      name: EVALUATION_EVENT,
      attributes: attributesOf({
        [NAMES.evaluationName]: 'resolved',
        // No score: nothing is known of the model then.
        [NAMES.evaluationScore]: isInfra
          ? null
          : { double: grading.reward ?? Number(grading.resolved) },
        [NAMES.evaluationLabel]: isInfra ? 'infra' : grading.resolved ? 'resolved' : 'unresolved',
        ...(isInfra && { [NAMES.errorType]: grading.infra?.reason }),
        ...(options.content && verdictContent(grading)),
      }),
    },
  ];
}

/**
 * A turn's spans: the model's, and one for each call. The record has the end of a turn and how long
 * its parts took, so begins are reckoned from there; calls ran one after the other.
 */
function turnSpans(trace: Trace, turn: Turn, index: number): Span[] {
  const { record, traceId, rootId } = trace;
  const { modelMs, toolsMs, ownMs, firstTokenMs } = turn.timings;
  const start = turn.at - modelMs - toolsMs - ownMs;
  const chat: Span = {
    ...{ traceId, spanId: idOf(8, record.attemptId, 'chat', turn.step), parentSpanId: rootId },
    ...{ name: `chat ${record.session.model.name}`, kind: 3 },
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + modelMs),
    attributes: attributesOf({
      ...{ [NAMES.operation]: 'chat', [NAMES.provider]: record.session.model.engine },
      ...{ [NAMES.model]: record.session.model.name },
      [NAMES.responseModel]: record.session.model.name,
      [NAMES.conversation]: record.cell.sessionId,
      [NAMES.finishReasons]: [FINISH_REASONS[turn.finish]],
      [NAMES.firstChunk]: firstTokenMs === null ? null : { double: firstTokenMs / 1000 },
      [NAMES.inputTokens]: turn.usage.promptTokens,
      [NAMES.outputTokens]: turn.usage.completionTokens,
      [NAMES.cachedTokens]: turn.usage.cachedTokens,
      'vivarium.step': turn.step,
      ...(trace.options.content && messageContent(record, index)),
    }),
  };
  let at = start + modelMs;
  const tools = turn.observations.map((observation, call) => {
    const span = toolSpan(trace, turn, { observation, call, start: at });
    at += observation.durationMs;
    return span;
  });
  return [chat, ...tools];
}

const FINISH_REASONS = { stop: 'stop', calls: 'tool_calls', cut: 'length' } as const;

function toolSpan(
  { record, traceId, rootId, options }: Trace,
  turn: Turn,
  { observation, call, start }: { observation: Observation; call: number; start: number },
): Span {
  const { tool, callId, durationMs, isError, run } = observation;
  return {
    ...{ traceId, spanId: idOf(8, record.attemptId, 'tool', turn.step, call) },
    ...{ parentSpanId: rootId, name: `execute_tool ${tool}`, kind: 1 },
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + durationMs),
    attributes: attributesOf({
      ...{ [NAMES.operation]: 'execute_tool', [NAMES.toolName]: tool },
      ...{ [NAMES.toolCallId]: callId, [NAMES.toolType]: 'function' },
      ...(isError && { [NAMES.errorType]: 'tool_error' }),
      ...{ 'vivarium.step': turn.step, 'process.exit.code': run?.exitCode },
      ...(options.content && toolContent(turn, observation)),
    }),
    ...(isError && { status: { code: 2 } }),
  };
}

function earlier(one: string, other: string): string {
  return BigInt(other) < BigInt(one) ? other : one;
}
