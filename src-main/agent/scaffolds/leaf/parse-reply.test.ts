import { describe, expect, it } from 'vitest';
import type { Completion } from '../../../models/index.ts';
import { createLeafScaffold } from './scaffold.ts';

const scaffold = createLeafScaffold();

function reply(more: Partial<Completion>): Completion {
  return {
    content: '',
    reasoning: '',
    toolCalls: [],
    finish: 'stop',
    usage: { promptTokens: 10, completionTokens: 5, cachedTokens: null },
    timings: { firstTokenMs: 1, totalMs: 2 },
    retries: [],
    ...more,
  };
}

const parse = (more: Partial<Completion>) => scaffold.parse(reply(more));
const call = (name: string, args: string, id = 'c1') => ({ id, name, arguments: args });

describe('calls', () => {
  it('keeps calls in order and the written arguments in the history', () => {
    const one = call('Read', '{"file_path": "a"}', 'c1');
    const two = call('Bash', '{"command": "ls"}', 'c2');
    expect(parse({ reasoning: 'look', toolCalls: [one, two], finish: 'calls' })).toEqual({
      message: { role: 'assistant', content: '', reasoning: 'look', toolCalls: [one, two] },
      calls: [
        { ok: true, call: { id: 'c1', name: 'Read', arguments: { file_path: 'a' } } },
        { ok: true, call: { id: 'c2', name: 'Bash', arguments: { command: 'ls' } } },
      ],
      final: null,
      nudge: null,
      notes: [],
    });
  });

  it.each([
    ['{"file_path": "a', 'Unterminated string in JSON at position 16'],
    ['[1]', 'the JSON is not an object'],
  ])('L01 arguments %s are not run; the history stays well-formed', (args, fault) => {
    const turn = parse({ toolCalls: [call('Write', args)] });
    expect(turn.message.toolCalls).toEqual([call('Write', JSON.stringify({ _invalid: args }))]);
    expect(turn.calls).toHaveLength(1);
    expect(turn.calls[0]).toMatchObject({
      ok: false,
      id: 'c1',
      name: 'Write',
      error: expect.stringContaining(fault),
    });
  });

  it('takes arguments that are a JSON string inside JSON', () => {
    const turn = parse({ toolCalls: [call('Read', JSON.stringify('{"file_path":"a"}'))] });
    expect(turn.calls).toEqual([
      { ok: true, call: { id: 'c1', name: 'Read', arguments: { file_path: 'a' } } },
    ]);
    expect(turn.message.toolCalls).toEqual([call('Read', '{"file_path":"a"}')]);
  });

  it('T15 any case of a name is accepted and corrected in the history', () => {
    const turn = parse({ toolCalls: [call(' read', '{"path":"a"}')] });
    expect(turn.calls).toEqual([
      { ok: true, call: { id: 'c1', name: 'Read', arguments: { path: 'a' } } },
    ]);
    expect(turn.message.toolCalls?.[0]?.name).toBe('Read');
    expect(turn.notes).toEqual([' read was read as Read']);
  });

  it('L07 an unknown tool, or one of the other scaffold: the answer names those that exist', () => {
    expect(parse({ toolCalls: [call('str_replace', '{}')] }).calls).toEqual([
      {
        ok: false,
        id: 'c1',
        name: 'str_replace',
        error: 'Unknown tool: str_replace\n[The tools are Read, Write, Edit, Glob, Bash.]',
      },
    ]);
  });

  it('gives ids where the server gave none or the same twice', () => {
    const turn = parse({
      toolCalls: [call('Read', '{}', ''), call('Read', '{}', 'x'), call('Read', '{}', 'x')],
    });
    const ids = turn.message.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe('x');
    expect(turn.calls.map((one) => (one.ok ? one.call.id : one.id))).toEqual(ids);
  });
});

describe('L02 calls written as text', () => {
  it('L02 are lifted out of the content', () => {
    const content =
      'I look.\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}\n</tool_call>';
    const turn = parse({ content });
    expect(turn.message).toMatchObject({
      content: 'I look.',
      toolCalls: [{ name: 'Read', arguments: '{"file_path": "a"}' }],
    });
    expect(turn.calls).toMatchObject([{ ok: true, call: { arguments: { file_path: 'a' } } }]);
    expect(turn.notes).toEqual(['salvaged 1 call from the content']);
    expect(turn.final).toBeNull();
  });

  it('are nothing to remark on where no tools are sent', () => {
    const content = '<tool_call>{"name": "Read", "arguments": {}}</tool_call>';
    const turn = createLeafScaffold({ advertise: false }).parse(reply({ content }));
    expect(turn.notes).toEqual([]);
    expect(turn.calls).toHaveLength(1);
  });

  it('L02 XML values get the types of the schema', () => {
    const content =
      '<function=Edit><parameter=file_path>7</parameter><parameter=replace_all>True</parameter></function>' +
      '<function=Read><parameter=limit>20</parameter></function>' +
      '<function=Bash><parameter=timeout>1.5</parameter><parameter=command>5</parameter></function>';
    expect(parse({ content }).calls.map((one) => (one.ok ? one.call.arguments : one))).toEqual([
      { file_path: '7', replace_all: true },
      { limit: 20 },
      { timeout: 1.5, command: '5' },
    ]);
  });

  it('L02 are taken from the reasoning only when nothing else was said', () => {
    const reasoning = 'So:\n<function=Glob>\n<parameter=pattern>\n*.py\n</parameter>\n</function>';
    expect(parse({ reasoning })).toMatchObject({
      message: { content: '', reasoning: 'So:', toolCalls: [{ name: 'Glob' }] },
      notes: ['salvaged 1 call from the reasoning'],
    });
    expect(parse({ reasoning, content: 'Done.' })).toMatchObject({ final: 'Done.', calls: [] });
  });

  it('L02 a call that can not be read is a nudge that names the fault, not an answer', () => {
    const turn = parse({ content: '<tool_call>{"name":"Read","arguments":{"file_path":' });
    expect(turn).toMatchObject({ calls: [], final: null, nudge: { kind: 'format_error' } });
    expect(turn.nudge?.text).toContain('(the JSON is cut off)');
  });
});

describe('answers and empty replies', () => {
  it('content without a call is the final answer', () => {
    expect(parse({ content: 'Fixed.' })).toEqual({
      message: { role: 'assistant', content: 'Fixed.' },
      calls: [],
      final: 'Fixed.',
      nudge: null,
      notes: [],
    });
  });

  it.each([
    {},
    { content: ' \n' },
    { reasoning: 'hm' },
    { content: '<think>hm' },
    { content: 'hm</think>\n' },
  ])('L03 %j is no answer', (more) => {
    expect(parse(more)).toMatchObject({ final: null, calls: [], nudge: { kind: 'empty_reply' } });
  });

  it('a thought left in the content is split off', () => {
    expect(parse({ content: '<think>\nhm\n</think>\n\nDone.' })).toMatchObject({
      message: { content: 'Done.', reasoning: 'hm' },
      final: 'Done.',
      notes: ['the thought was split off the content'],
    });
  });

  it('L04 nothing of a reply that was cut off is run, and the model is told', () => {
    const turn = parse({
      finish: 'cut',
      content: 'x',
      toolCalls: [call('Write', '{"file_path":"a"')],
    });
    expect(turn).toMatchObject({
      message: { role: 'assistant', content: 'x' },
      calls: [],
      final: null,
      nudge: { kind: 'cut' },
      notes: ['not run because the reply was cut off: Write'],
    });
    expect(turn.message.toolCalls).toBeUndefined();
    const asText = parse({
      finish: 'cut',
      content: '<function=Bash><parameter=command>ls</parameter></function>',
    });
    expect(asText).toMatchObject({ calls: [], nudge: { kind: 'cut' } });
  });
});
