import {
  rowIn,
  rowsIn,
  spaced,
  textIn,
  toolsIn,
  type Reading,
  type Row,
  type Turn,
} from './reading.ts';

/** A row as TRL 1.16's trainers read it: one conversation, or two of a pair. */
export function readTrl(value: Row): Reading[] {
  const prompt = value['prompt'];
  if (prompt === undefined) return [reading(value, rowsIn(value['messages']))];
  const replies = ['chosen', 'rejected', 'completion'].filter((name) => name in value);
  return replies.map((name) => {
    const begin = rowsIn(prompt);
    const said = rowsIn(value[name]);
    const isWhole = begin.length > 0 && said[0]?.['role'] === 'assistant';
    const read = reading(value, [...begin, ...said]);
    // All that comes after the prompt is learned, results of tools included.
    const turns = read.turns.map((turn, at) => ({ ...turn, isReply: at >= begin.length }));
    const isRead = said.some(({ role }) => role !== 'assistant');
    const notes = isRead ? ['results in what was said are learned, too'] : [];
    return {
      ...read,
      turns,
      notes: isWhole ? [...read.notes, ...notes] : [],
      skipped: isWhole ? null : `prompt or ${name} is empty`,
    };
  });
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

function reading(value: Row, messages: readonly Row[]): Reading {
  const mask = Array.isArray(value['assistant_masks'])
    ? value['assistant_masks'].map(Number)
    : null;
  const calls = messages.flatMap((message) => rowsIn(message['tool_calls']));
  const isText = calls.some((call) => typeof rowIn(call['function'])['arguments'] === 'string');
  const isStrange = messages.some(({ role }) => !ROLES.has(role));
  const turns = messages.map((message): Turn => {
    const own = rowsIn(message['tool_calls']);
    return {
      isReply: message['role'] === 'assistant',
      text:
        textIn(message['reasoning_content']) +
        textIn(message['content']) +
        (own.length > 0 ? JSON.stringify(own) : ''),
      message: own.length > 0 ? { ...message, tool_calls: own.map(asText) } : message,
    };
  });
  const notes = [
    ...(isStrange ? ['a message has a role that few chat templates know'] : []),
    ...(isText ? ['arguments of a call are text, which templates may quote again'] : []),
    ...(turns.at(-1)?.isReply === true ? [] : ['the last message is no reply']),
  ];
  const tools = toolsIn(value['tools']);
  return { turns, tools, isFactory: false, skipped: null, notes, mask };
}

/** As chat templates write arguments that are objects. */
function asText(call: Row): Row {
  const fn = rowIn(call['function']);
  const args = fn['arguments'];
  return {
    ...call,
    function: { ...fn, arguments: typeof args === 'string' ? args : spaced(args) },
  };
}
