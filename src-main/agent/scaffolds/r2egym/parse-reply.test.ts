import { describe, expect, it } from 'vitest';
import type { Completion } from '../../../models/index.ts';
import { NUDGES } from './defaults.ts';
import { parseReply } from './parse-reply.ts';

const FUNCTIONS = ['file_editor', 'execute_bash', 'search', 'finish'];

function reply(content: string, more: Partial<Completion> = {}): Completion {
  return {
    content,
    reasoning: '',
    toolCalls: [],
    finish: 'stop',
    usage: { promptTokens: 1, completionTokens: 1, cachedTokens: null },
    timings: { firstTokenMs: 1, totalMs: 1 },
    retries: [],
    ...more,
  };
}

const parse = (content: string, more: Partial<Completion> = {}) =>
  parseReply(reply(content, more), { functions: FUNCTIONS, nudges: NUDGES });
const LS = '<function=execute_bash>\n<parameter=cmd>ls</parameter>\n</function>';
const KEPT = '<function=execute_bash>\n  <parameter=cmd>ls</parameter>\n</function>';

describe('L10 replies', () => {
  it('reasoning and a call: kept as thought, empty line, canonical call', () => {
    const turn = parse(`I look around.\n\n\n${LS}\n`);
    expect(turn.message).toEqual({ role: 'assistant', content: `I look around.\n\n${KEPT}` });
    expect(turn.calls).toEqual([
      {
        ok: true,
        call: {
          id: expect.stringMatching(/^call_[0-9a-f]{16}$/),
          name: 'execute_bash',
          arguments: { cmd: 'ls' },
        },
      },
    ]);
    expect([turn.final, turn.nudge, turn.notes]).toEqual([null, null, []]);
  });

  it('no call: kept with an empty one and answered by the reminder, never taken for an answer', () => {
    const turn = parse('The bug is fixed.');
    expect(turn.message.content).toBe('The bug is fixed.\n\n<function=>\n</function>');
    expect(turn).toMatchObject({
      calls: [],
      final: null,
      nudge: { kind: 'format_error', text: NUDGES.noCall },
    });
    expect(parse(' \n').nudge?.kind).toBe('empty_reply');
  });

  it('two calls: the first is run, the other is left out and said', () => {
    const turn = parse(`Both.\n${LS}\n${LS.replace('ls', 'pwd')}`);
    expect(turn.calls).toMatchObject([{ call: { arguments: { cmd: 'ls' } } }]);
    expect(turn.message.content).toBe(`Both.\n\n${KEPT}`);
    expect(turn.notes).toEqual(['further calls were left out: one a turn']);
  });

  it('finish ends the attempt with its result', () => {
    const finish =
      '<function=finish>\n<parameter=command>submit</parameter>\n<parameter=result>\nFixed total().\n</parameter>\n</function>';
    const turn = parse(`Done.\n${finish}`);
    expect([turn.final, turn.calls, turn.nudge]).toEqual(['Fixed total().', [], null]);
    expect(parse('<function=finish>\n</function>').final).toBe('');
    expect(parse('<function=submit>\n</function>').final).toBe('');
  });

  it('an unknown function is told the ones there are', () => {
    const turn = parse('<function=Read>\n<parameter=file_path>a</parameter>\n</function>');
    expect(turn.calls).toMatchObject([
      {
        ok: false,
        name: 'Read',
        error:
          'Unknown function: Read. The functions are file_editor, execute_bash, search, finish.',
      },
    ]);
  });

  it('a call that the thought only quotes gives way to the one behind it', () => {
    const turn = parse(`<think>I could write ${LS.replace('ls', 'rm -r .')}</think>\n\nNo.\n${LS}`);
    expect(turn.calls).toMatchObject([{ call: { arguments: { cmd: 'ls' } } }]);
    expect(turn.message.content.startsWith('<think>I could write')).toBe(true);
  });
});

it('L02 a call in the reasoning alone is salvaged, and said', () => {
  const turn = parse('', { reasoning: `I look.\n${LS}` });
  expect(turn.calls).toMatchObject([{ call: { arguments: { cmd: 'ls' } } }]);
  expect(turn.notes).toEqual(['salvaged a call from the reasoning']);
});

it('L04 a reply that was cut off runs nothing', () => {
  const turn = parse(LS, { finish: 'cut' });
  expect([turn.calls, turn.nudge?.kind]).toEqual([[], 'cut']);
});

it('L01 a call without an end is not run; the fault is named', () => {
  const turn = parse('<function=execute_bash>\n<parameter=cmd>rm -r x');
  expect(turn.calls).toEqual([]);
  expect(turn.nudge).toEqual({
    kind: 'format_error',
    text: NUDGES.format.replace('{{fault}}', 'the value of cmd has no end'),
  });
});

it('calls that the server read are kept as text', () => {
  const turn = parse('Look.', {
    toolCalls: [{ id: 'x', name: 'execute_bash', arguments: '{"cmd":"ls"}' }],
    finish: 'calls',
  });
  expect(turn.message).toEqual({ role: 'assistant', content: `Look.\n\n${KEPT}` });
  expect(turn.calls).toMatchObject([{ ok: true, call: { arguments: { cmd: 'ls' } } }]);
});
