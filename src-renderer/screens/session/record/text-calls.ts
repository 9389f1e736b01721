import type { EventOf } from '../../../../src-main/contract/index.ts';

type Step = EventOf<'step.finished'>;

/** What stands in the text of a step whose scaffold writes calls there and answers in user turns. */
export interface TextCalls {
  calls: Array<{ id: string; name: string; arguments: string }>;
  results: Map<string, string>;
  /** The reply without its call. */
  text: string;
  nudges: string[];
}

const CALL = /\s*<function\s*=[^>\n]*>[\s\S]*<\/function>\s*$/;
/** A call that does nothing: the end of the attempt, and what is kept of a reply without a call. */
const EMPTY_CALL = /\s*<function\s*=\s*(?:finish|submit)?\s*>[\s\S]*<\/function>\s*$/;
const REMINDER =
  /\n?(?:Steps Remaining: \d+|You have reached the maximum number of steps\. Please submit your answer NOW\.)\s*$/;
const HEAD = /^(?:Exit code: .*\n)?Execution output of \[.*\]:$/gm;

/** `null` where the calls are members of the messages. */
export function textCalls({ messages, observations }: Step): TextCalls | null {
  const said = messages.filter((message) => message.role === 'assistant');
  if (said.some(({ toolCalls }) => (toolCalls?.length ?? 0) > 0)) return null;
  const text = said.map(({ content }) => content).join('');
  const told = messages
    .filter((message) => message.role === 'user')
    .map(({ content }) => content.replace(REMINDER, ''));
  if (observations.length === 0) {
    return EMPTY_CALL.test(text)
      ? { calls: [], results: new Map(), text: text.replace(EMPTY_CALL, ''), nudges: told }
      : null;
  }
  const calls = observations.map(({ callId, tool, arguments: given = '{}' }) => ({
    ...{ id: callId, name: tool, arguments: given },
  }));
  const [first = '', ...nudges] = told;
  const parts = split(first, calls.length);
  const results = new Map(calls.map(({ id }, index) => [id, parts[index] ?? '']));
  return { calls, results, text: text.replace(CALL, ''), nudges };
}

/** One user turn holds all observations; each begins with its head. */
function split(text: string, count: number): string[] {
  if (count === 1) return [text];
  const starts = [...text.matchAll(HEAD)].map(({ index }) => index);
  return starts
    .slice(0, count)
    .map((start, at) => text.slice(start, at === count - 1 ? undefined : starts[at + 1]).trimEnd());
}
