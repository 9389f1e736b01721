import { rowsIn, spaced, textIn, toolsIn, type Reading, type Row, type Turn } from './reading.ts';
import type { RowFormat } from './types.ts';

/**
 * A row as LLaMA-Factory 0.9.5 reads it: strict alternation, an even count, a reply last
 * (data/converter.py); calls are read again as JSON (data/formatter.py).
 */
export function readFactory(format: RowFormat, value: Row): Reading {
  const { turns, notes } = format === 'openai' ? openAiTurns(value) : sharegptTurns(value);
  const wrong = turns.findIndex(({ isReply }, at) => isReply !== (at % 2 === 1));
  const skipped =
    wrong !== -1
      ? `turn ${wrong + 1} is ${turns[wrong]?.isReply === true ? 'a reply' : 'no reply'} out of turn`
      : turns.length % 2 !== 0 || turns.length === 0
        ? 'the number of turns is not even'
        : turns.some(({ message }) => message['tool_calls'] === null)
          ? 'a call cannot be read: LLaMA-Factory stops at it'
          : null;
  const system = systemOf(format, value);
  return {
    ...{ turns: system === '' ? turns : [systemTurn(system), ...turns], skipped, notes },
    ...{ tools: toolsIn(value['tools']), isFactory: true, mask: null },
  };
}

function systemTurn(content: string): Turn {
  return { isReply: false, text: content, message: { role: 'system', content } };
}

/** Its `openai` reader puts a word of its own behind the system prompt of a row without tools. */
function systemOf(format: RowFormat, value: Row): string {
  if (format !== 'openai') return textIn(value['system']);
  const [first] = rowsIn(value['messages']);
  const own = first?.['role'] === 'system' ? textIn(first['content']) : '';
  if (toolsIn(value['tools']).length > 0) return own === '' ? '' : `${own}\n`;
  if (own === '') return WITHOUT_TOOLS;
  return /detailed thinking o(n|ff)/.test(own) ? own : `${own}\n${WITHOUT_TOOLS}`;
}

const WITHOUT_TOOLS = 'detailed thinking off';

function sharegptTurns(value: Row): { turns: Turn[]; notes: string[] } {
  const turns = rowsIn(value['conversations']).map((turn): Turn => {
    const text = textIn(turn['value']);
    const from = turn['from'];
    if (from === 'function_call') return { isReply: true, text, message: callMessage(text) };
    const role = from === 'gpt' ? 'assistant' : from === 'observation' ? 'tool' : 'user';
    return { isReply: from === 'gpt', text, message: { role, content: text } };
  });
  return { turns, notes: [] };
}

/** `tool_calls` is `null` where its reader fails: what is not between marks has to be JSON. */
function callMessage(text: string): Row {
  const marked = /<tool_call>(.*?)<\/tool_call>/s.exec(text);
  const thought = marked === null ? (/<think>\n.*?\n<\/think>\n\n/s.exec(text)?.[0] ?? '') : '';
  const content = marked === null ? thought : text.replaceAll(marked[0], '');
  const calls = callsIn(marked?.[1] ?? text.replaceAll(thought === '' ? '\0' : thought, ''));
  return { role: 'assistant', content, tool_calls: calls };
}

function callsIn(text: string): Row[] | null {
  try {
    const read: unknown = JSON.parse(text);
    const calls = rowsIn(Array.isArray(read) ? read : [read]);
    if (!calls.every((call) => 'name' in call && 'arguments' in call)) return null;
    return calls.map((call) => calledBy(call['name'], spaced(call['arguments'])));
  } catch {
    return null;
  }
}

function calledBy(name: unknown, args: string): Row {
  return { type: 'function', function: { name, arguments: args } };
}

/** Calls replace what else their message says; results in a row become one turn, before a reply. */
function openAiTurns(value: Row): { turns: Turn[]; notes: string[] } {
  const turns: Turn[] = [];
  const results: string[] = [];
  let dropped = 0;
  let quoted = 0;
  for (const [at, message] of rowsIn(value['messages']).entries()) {
    const role = message['role'];
    if (at === 0 && role === 'system') continue;
    const content = textIn(message['content']);
    if (role === 'tool') {
      results.push(content);
      continue;
    }
    if (results.length > 0) turns.push(resultTurn(results.splice(0)));
    const calls = rowsIn(message['tool_calls']).map((call) => call['function']);
    quoted += calls.length;
    const said = content + textIn(message['reasoning_content']);
    if (calls.length > 0 && said.trim() !== '') dropped += 1;
    turns.push(calls.length > 0 ? callTurn(calls) : plainTurn(role, content));
  }
  return {
    turns,
    notes: [
      ...(dropped > 0 ? [`text and thought beside calls are dropped; replies: ${dropped}`] : []),
      ...(quoted > 0
        ? [`arguments of calls are text, which is quoted again; calls: ${quoted}`]
        : []),
      // Results that no message comes after are never handed on.
      ...(results.length > 0 ? ['results after the last reply are dropped'] : []),
      // What `datasets` before 4.7 makes of objects with different members.
      ...(Array.isArray(value['tools'])
        ? ['its `datasets` fills tools with members that are null; --tools-json keeps them']
        : []),
      ...(toolsIn(value['tools']).length === 0
        ? [`"${WITHOUT_TOOLS}" is put behind the system prompt, since there are no tools`]
        : []),
    ],
  };
}

function plainTurn(role: unknown, content: string): Turn {
  const isReply = role === 'assistant';
  return { isReply, text: content, message: { role: isReply ? role : 'user', content } };
}

function callTurn(calls: readonly unknown[]): Turn {
  const text = JSON.stringify(calls);
  return { isReply: true, text, message: callMessage(text) };
}

function resultTurn(results: readonly string[]): Turn {
  const content = results.join('\n</tool_response>\n<tool_response>\n');
  return { isReply: false, text: content, message: { role: 'tool', content } };
}
