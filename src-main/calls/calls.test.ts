import { describe, expect, it } from 'vitest';
import { parseCallsFromText } from './index.ts';

const NAMES = ['Read', 'Write', 'Edit', 'Glob', 'Bash'];
const parse = (text: string) => parseCallsFromText(text, NAMES);
const read = { name: 'Read', arguments: '{"file_path":"calc.py"}' };

describe('L02 hermes JSON in plain text', () => {
  it('L02 reads the form tadpole writes, and keeps the sentence before it', () => {
    const text =
      'Line 2 is wrong.\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "calc.py"}}\n</tool_call>';
    expect(parse(text)).toEqual({
      calls: [{ name: 'Read', arguments: '{"file_path": "calc.py"}', form: 'hermes' }],
      rest: 'Line 2 is wrong.',
      notes: [],
      broken: [],
    });
  });

  it.each([
    [
      'closing tag missing',
      '<tool_call>{"name":"Read","arguments":{"file_path":"calc.py"}}',
      'Read: closing tag missing',
    ],
    [
      '> missing',
      '<tool_call\n{"name":"Read","arguments":{"file_path":"calc.py"}}\n</tool_call',
      undefined,
    ],
    [
      'last brace missing',
      '<tool_call>{"name":"Read","arguments":{"file_path":"calc.py"}\n</tool_call>',
      'Read: added the missing }',
    ],
    [
      'arguments as a string',
      '<tool_call>{"name":"Read","arguments":"{\\"file_path\\":\\"calc.py\\"}"}</tool_call>',
      undefined,
    ],
    [
      '"parameters"',
      '<tool_call>{"name":" Read ","parameters":{"file_path":"calc.py"}}</tool_call>',
      undefined,
    ],
    [
      'no wrapper at all',
      '{"name":"read","arguments":{"file_path":"calc.py"}}',
      'read: call without its <tool_call> wrapper',
    ],
    [
      'code fence',
      '```json\n{"name":"Read","arguments":{"file_path":"calc.py"}}\n```',
      'Read: call without its <tool_call> wrapper',
    ],
  ])('L02 %s', (_title, text, note) => {
    const got = parse(text);
    expect(got.calls.map((call) => call.arguments)).toEqual([read.arguments]);
    expect(got.calls[0]?.name.toLowerCase()).toBe('read');
    expect(got.notes).toEqual(note === undefined ? [] : [note]);
    expect(got.rest).toBe('');
  });

  it('keeps the arguments as the model wrote them, so that the history repeats its own words', () => {
    const written = '{ "command" : "echo \\u00e9 {\\"arguments\\"}",\n "timeout":5.0 }';
    const got = parse(
      `<tool_call>{"id": {"arguments": {}}, "name": "Bash", "arguments": ${written}}</tool_call>`,
    );
    expect(got.calls[0]?.arguments).toBe(written);
  });

  it('L02 keeps a raw line break inside a string', () => {
    const got = parse(
      '<tool_call>{"name":"Write","arguments":{"file_path":"a","content":"x\n\ty"}}</tool_call>',
    );
    expect(JSON.parse(got.calls[0]?.arguments ?? '')).toEqual({
      file_path: 'a',
      content: 'x\n\ty',
    });
  });

  it('L02 code that quotes the tags stays a value', () => {
    const content = 'x = "</tool_call>" + "<function=Bash>" # } {';
    const text = `<tool_call>${JSON.stringify({ name: 'Write', arguments: { file_path: 'a', content } })}</tool_call>`;
    expect(JSON.parse(parse(text).calls[0]?.arguments ?? '')).toEqual({ file_path: 'a', content });
  });

  it('L02 reads several in order', () => {
    const one = (path: string) =>
      `<tool_call>{"name":"Read","arguments":{"file_path":"${path}"}}</tool_call>`;
    expect(parse(`${one('a')}\n${one('b')}`).calls.map((call) => call.arguments)).toEqual([
      '{"file_path":"a"}',
      '{"file_path":"b"}',
    ]);
  });
});

describe('L02 Qwen3-Coder XML in plain text', () => {
  const full =
    '<tool_call>\n<function=Read>\n<parameter=file_path>\ncalc.py\n</parameter>\n</function>\n</tool_call>';

  it.each([
    ['complete', full, []],
    ['without wrapper', '<function=Read><parameter=file_path>calc.py</parameter></function>', []],
    [
      '> missing',
      '<function=Read\n<parameter=file_path\ncalc.py\n</parameter>\n</function>',
      ['Read: a > is missing'],
    ],
    [
      '</parameter> missing',
      '<function=Read>\n<parameter=file_path>\ncalc.py\n</function>',
      ['Read: closing tag missing'],
    ],
    [
      '</function> missing',
      '<tool_call>\n<function=Read>\n<parameter=file_path>\ncalc.py\n</parameter>\n</tool_call>',
      ['Read: closing tag missing'],
    ],
    [
      'all closers after the value missing',
      '<function=Read>\n<parameter=file_path>\ncalc.py\n</parameter>',
      ['Read: closing tag missing'],
    ],
    ['quoted names', '<function="Read"><parameter="file_path">calc.py</parameter></function>', []],
  ])('L02 %s', (_title, text, notes) => {
    const got = parse(`First I look.\n${text}`);
    expect(got.calls).toEqual([{ ...read, form: 'qwen-coder' }]);
    expect(got.notes).toEqual(notes);
    expect(got.rest).toBe('First I look.');
    expect(got.broken).toEqual([]);
  });

  it('L02 takes one line break from each end of a value and no more', () => {
    const got = parse('<function=Edit><parameter=old_string>\n\n    a\n\n</parameter></function>');
    expect(JSON.parse(got.calls[0]?.arguments ?? '')).toEqual({ old_string: '\n    a\n' });
  });

  it('L02 a literal </parameter> in code does not cut the value', () => {
    const got = parse(
      '<function=Write>\n<parameter=content>\nx = "</parameter>"\ny\n</parameter>\n</function>',
    );
    expect(JSON.parse(got.calls[0]?.arguments ?? '')).toEqual({ content: 'x = "</parameter>"\ny' });
  });

  it('L02 two parameters, the first not closed', () => {
    const got = parse(
      '<function=Bash>\n<parameter=command>\nls\n<parameter=timeout>\n5\n</parameter>\n</function>',
    );
    expect(JSON.parse(got.calls[0]?.arguments ?? '')).toEqual({ command: 'ls', timeout: '5' });
  });

  it('L02 a call without parameters', () => {
    expect(parse('<function=Glob>\n</function>').calls[0]?.arguments).toBe('{}');
  });
});

describe('L01 what can not be read is broken, not guessed', () => {
  it.each([
    [
      '<tool_call>{"name":"Write","arguments":{"file_path":"a","content":"x = 1',
      'the JSON ends inside a string',
    ],
    [
      '<tool_call>{"name":"Write","arguments":{"file_path":"a","content":["x"',
      'the JSON is cut off',
    ],
    ['<tool_call>{"arguments":{}}</tool_call>', 'the call has no "name"'],
    ['<tool_call>{"name":"Read"}</tool_call>', 'the call has no "arguments" object'],
    [
      '<function=Write>\n<parameter=content>\nx = 1\n',
      'parameter "content" of Write is not closed',
    ],
    ['<function=Write>', 'the call of Write is not closed'],
  ])('L01 %s', (text, fault) => {
    expect(parse(text)).toEqual({ calls: [], rest: '', notes: [], broken: [fault] });
  });

  it('L01 an unescaped quote is a fault with its place', () => {
    const got = parse(
      'a <tool_call>{"name":"Bash","arguments":{"command":"echo "x""}}</tool_call> b',
    );
    expect(got.calls).toEqual([]);
    expect(got.broken[0]).toContain('JSON at position');
    expect(got.rest).toBe('a  b');
  });

  it('leaves prose and other JSON alone', () => {
    for (const text of [
      'All tests pass.',
      '{"a": 1}',
      'The <tool_call> tag is used.',
      '{"name":"x","arguments":{}}',
    ])
      expect(parse(text)).toEqual({ calls: [], rest: text, notes: [], broken: [] });
  });

  it('stays fast on text made to be slow', () => {
    const started = performance.now();
    for (const piece of [
      ' ',
      '\n',
      '<tool_call',
      '<tool_call>{',
      '</parameter',
      '<function=a',
      '"',
    ]) {
      const many = piece.repeat(Math.ceil(100_000 / piece.length));
      parse(`<tool_call${many}`);
      parse(`<function=Bash><parameter=command>x</parameter${many}x`);
      parse(`<function=Bash><parameter=command>${many}`);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
