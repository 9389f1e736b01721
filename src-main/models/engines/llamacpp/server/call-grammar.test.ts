import { describe, expect, it } from 'vitest';
import { callGrammar, forcedCalls } from './call-grammar.ts';
import { chatRequestSchema } from './chat-request.ts';

const TOOLS = ['Read', 'Edit'].map((name) => ({ type: 'function', function: { name } }));

function forced(toolChoice: unknown, tools: unknown = TOOLS): string[] | null {
  const messages = [{ role: 'user', content: 'x' }];
  return forcedCalls(chatRequestSchema.parse({ messages, tools, tool_choice: toolChoice }));
}

describe('calls that a request demands', () => {
  it.each([undefined, null, 'auto', 'none'])('are none for %j', (choice) => {
    expect(forced(choice)).toBeNull();
  });

  it('are any of the tools, or the named one', () => {
    expect(forced('required')).toEqual(['Read', 'Edit']);
    expect(forced({ type: 'function', function: { name: 'Edit' } })).toEqual(['Edit']);
  });

  it.each([
    ['required', [], 'there are no tools'],
    ['always', TOOLS, 'tool_choice is none of'],
    [{ type: 'function' }, TOOLS, 'tool_choice is none of'],
    [{ type: 'function', function: { name: 'Bash' } }, TOOLS, 'names Bash, which is no tool'],
  ])('are refused for %j', (choice, tools, message) => {
    expect(() => forced(choice, tools)).toThrow(message);
  });
});

describe('the grammar of calls', () => {
  it('has the form of the template, and names in quotes where the form is JSON', () => {
    const json = callGrammar(['Read', 'a"b'], { style: 'json', thinking: false, single: true });
    expect(json.split('\n').slice(0, 3)).toEqual([
      'root ::= call',
      String.raw`call ::= "<tool_call>\n{\"name\": " name ", \"arguments\": " object "}\n</tool_call>"`,
      String.raw`name ::= "\"Read\"" | "\"a\\\"b\""`,
    ]);
    const xml = callGrammar(['Read'], { style: 'xml', thinking: true, single: false });
    expect(xml.split('\n').slice(0, 3)).toEqual([
      String.raw`root ::= thought call ( "\n" call ){0,7}`,
      String.raw`call ::= "<tool_call>\n<function=" name ">\n" parameter* "</function>\n</tool_call>"`,
      'name ::= "Read"',
    ]);
  });
});
