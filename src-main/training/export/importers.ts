import type { RowFormat } from './types.ts';

/** A turn as an importer hands it to its template. */
export interface Turn {
  isReply: boolean;
  text: string;
}

export interface Reading {
  turns: Turn[];
  /** Why the importer leaves the row out or fails at it; `null` = it takes it. */
  skipped: string | null;
  notes: string[];
}

type Row = Record<string, unknown>;

/** As LLaMA-Factory's converters read a row: strict alternation, an even count, a reply last. */
export function readFactory(format: RowFormat, value: Row): Reading {
  const { turns, notes } = format === 'openai' ? openAiTurns(value) : sharegptTurns(value);
  const wrong = turns.findIndex(({ isReply }, at) => isReply !== (at % 2 === 1));
  const skipped =
    wrong !== -1
      ? `turn ${wrong + 1} is ${turns[wrong]?.isReply === true ? 'a reply' : 'no reply'} out of turn`
      : turns.length % 2 !== 0 || turns.length === 0
        ? 'the number of turns is not even'
        : null;
  return { turns: withHead(value, turns), skipped, notes };
}

function sharegptTurns(value: Row): { turns: Turn[]; notes: string[] } {
  const turns = rowsIn(value['conversations']).map((turn) => ({
    isReply: turn['from'] === 'gpt' || turn['from'] === 'function_call',
    text: textIn(turn['value']),
  }));
  return { turns, notes: [] };
}

/** Calls replace what else their message says, and results in a row become one turn. */
function openAiTurns(value: Row): { turns: Turn[]; notes: string[] } {
  const turns: Turn[] = [];
  let dropped = 0;
  let quoted = 0;
  let isResult = false;
  for (const message of rowsIn(value['messages'])) {
    if (message['role'] === 'system') continue;
    const calls = rowsIn(message['tool_calls']).map((call) => call['function']);
    const text = calls.length > 0 ? JSON.stringify(calls) : textIn(message['content']);
    const before = turns.at(-1);
    if (isResult && message['role'] === 'tool' && before !== undefined) before.text += text;
    else turns.push({ isReply: message['role'] === 'assistant', text });
    isResult = message['role'] === 'tool';
    quoted += calls.length;
    const said = textIn(message['content']) + textIn(message['reasoning_content']);
    if (calls.length > 0 && said.trim() !== '') dropped += 1;
  }
  return {
    turns,
    notes: [
      ...(dropped > 0 ? [`text and thought beside calls are dropped; replies: ${dropped}`] : []),
      ...(quoted > 0
        ? [`arguments of calls are text, which is quoted again; calls: ${quoted}`]
        : []),
    ],
  };
}

/** System prompt and tools stand before the first turn and are part of what is only read. */
function withHead(value: Row, turns: readonly Turn[]): Turn[] {
  const [first, ...others] = turns;
  if (first === undefined) return [];
  const system = rowsIn(value['messages']).find(({ role }) => role === 'system');
  const head = textIn(value['system']) + textIn(system?.['content']) + toolText(value['tools']);
  return [{ ...first, text: head + first.text }, ...others];
}

/** As TRL's trainers read a row: one conversation, or two of a pair. */
export function readTrl(value: Row): Reading[] {
  const prompt = value['prompt'];
  if (prompt === undefined) return [trlReading(value, rowsIn(value['messages']))];
  const replies = ['chosen', 'rejected', 'completion'].filter((name) => name in value);
  return replies.map((name) => {
    const begin = rowsIn(prompt);
    const reading = trlReading(value, [...begin, ...rowsIn(value[name])]);
    const isWhole = begin.length > 0 && rowsIn(value[name])[0]?.['role'] === 'assistant';
    return isWhole ? reading : { ...reading, skipped: `prompt or ${name} is empty` };
  });
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

function trlReading(value: Row, messages: readonly Row[]): Reading {
  const calls = messages.flatMap((message) => rowsIn(message['tool_calls']));
  const isText = calls.some((call) => typeof rowIn(call['function'])['arguments'] === 'string');
  const isStrange = messages.some(({ role }) => !ROLES.has(role));
  const turns = messages.map((message) => ({
    isReply: message['role'] === 'assistant',
    text:
      textIn(message['reasoning_content']) +
      textIn(message['content']) +
      ('tool_calls' in message ? JSON.stringify(message['tool_calls']) : ''),
  }));
  const head = { isReply: false, text: toolText(value['tools']) };
  const skipped = isText
    ? 'arguments of a call are text, no object'
    : isStrange
      ? 'a message has no role that chat templates know'
      : turns.at(-1)?.isReply === true
        ? null
        : 'the last message is no reply';
  return { turns: [head, ...turns], skipped, notes: [] };
}

function toolText(tools: unknown): string {
  if (tools === undefined) return '';
  return typeof tools === 'string' ? tools : JSON.stringify(tools);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function rowIn(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function rowsIn(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(rowIn) : [];
}
