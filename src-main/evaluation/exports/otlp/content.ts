import type { EventOf, Grading } from '../../../contract/index.ts';
import { jsonText } from '../text.ts';
import type { CellRecord } from '../types.ts';
import { NAMES } from './conventions.ts';

type Turn = CellRecord['steps'][number];
type Message = Turn['messages'][number];
type Attributes = Record<string, string>;

/** Attributes that hold words of the task, the model or its tools: written only on request. */

/**
 * Reply of a turn, and what was new to the model before it. A history that was repeated in each span
 * would grow with the square of the steps.
 */
export function messageContent({ opened, steps }: CellRecord, index: number): Attributes {
  const before =
    index === 0
      ? (opened?.messages ?? [])
      : (steps[index - 1]?.messages ?? []).filter(({ role }) => role !== 'assistant');
  const reply = (steps[index]?.messages ?? []).filter(({ role }) => role === 'assistant');
  const tools = index === 0 && opened !== undefined && opened.tools.length > 0 ? opened.tools : [];
  return {
    [NAMES.inputMessages]: jsonText(before.map(messageOf)),
    [NAMES.outputMessages]: jsonText(
      reply.map((message) => ({
        ...messageOf(message),
        finish_reason: FINISH_REASONS[steps[index]?.finish ?? 'stop'],
      })),
    ),
    ...(tools.length > 0 && {
      [NAMES.toolDefinitions]: jsonText(tools.map((tool) => ({ type: 'function', ...tool }))),
    }),
  };
}

/** Of the conventions' schema of messages, which has its own words. */
const FINISH_REASONS = { stop: 'stop', calls: 'tool_call', cut: 'length' } as const;

/** In the shape of the conventions' own schema of messages. */
function messageOf(message: Message): Record<string, unknown> {
  if (message.role === 'tool') {
    const part = { type: 'tool_call_response', id: message.toolCallId, response: message.content };
    return { role: 'tool', parts: [part] };
  }
  const text = { type: 'text', content: message.content };
  if (message.role !== 'assistant') return { role: message.role, parts: [text] };
  return {
    role: 'assistant',
    parts: [
      ...(message.reasoning === undefined
        ? []
        : [{ type: 'reasoning', content: message.reasoning }]),
      ...(message.content === '' ? [] : [text]),
      ...(message.toolCalls ?? []).map((call) => ({
        ...{ type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments },
      })),
    ],
  };
}

export function toolContent(
  turn: Turn,
  observation: EventOf<'step.finished'>['observations'][number],
): Attributes {
  const { callId } = observation;
  const apart = turn.messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const given = observation.arguments ?? apart.find(({ id }) => id === callId)?.arguments;
  const answers = turn.messages.filter(
    (message) =>
      message.role === 'user' || (message.role === 'tool' && message.toolCallId === callId),
  );
  const answer = answers.find(({ role }) => role === 'tool') ?? answers[0];
  return {
    ...(given !== undefined && { [NAMES.toolArguments]: given }),
    ...(answer !== undefined && { [NAMES.toolResult]: answer.content }),
  };
}

export function verdictContent({ summary }: Grading): Attributes {
  return { [NAMES.evaluationExplanation]: summary };
}
