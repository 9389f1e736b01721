import { describe, expect, it } from 'vitest';
import { createReplySplitter } from './reply-splitter.ts';

interface Split {
  reasoning: string;
  content: string;
  calls: string;
}

function split(text: string, size: number, options = { thinking: false, calls: true }): Split {
  const out = { reasoning: '', content: '' };
  const splitter = createReplySplitter(
    {
      reasoning: (piece) => {
        out.reasoning += piece;
      },
      content: (piece) => {
        out.content += piece;
      },
    },
    options,
  );
  for (let at = 0; at < text.length; at += size) splitter.push(text.slice(at, at + size));
  const calls = splitter.end();
  return { ...out, calls };
}

const CALL = '<tool_call>\n{"name": "Read", "arguments": {"file_path": "a.py"}}\n</tool_call>';

/** Whatever the pieces, the parts are the same. */
const SIZES = [1, 2, 3, 7, 1_000];

describe.each(SIZES)('a reply in pieces of %i characters', (size) => {
  it.each([
    ['plain text', 'All tests pass.', { content: 'All tests pass.' }],
    [
      'text and a call',
      `Line 2 is wrong.\n${CALL}`,
      { content: 'Line 2 is wrong.', calls: `\n${CALL}` },
    ],
    ['a call alone', CALL, { calls: CALL }],
    [
      'a thought, text and a call',
      `<think>\nHm. <b?\n</think>\n\nI look.\n\n${CALL}`,
      { reasoning: 'Hm. <b?', content: 'I look.', calls: `\n\n${CALL}` },
    ],
    ['a thought that is cut', '<think>\nHm', { reasoning: 'Hm' }],
    [
      'XML calls',
      'Go.<function=Read>\n</function>',
      { content: 'Go.', calls: '<function=Read>\n</function>' },
    ],
    ['a lone <', 'a < b <tool', { content: 'a < b <tool' }],
    ['an early <thin', '<thin air', { content: '<thin air' }],
    ['inner blank lines', 'a\n\n\n  b  \n', { content: 'a\n\n\n  b  \n' }],
    ['a thought tag in the text', 'x <think> y', { content: 'x <think> y' }],
  ])('splits %s', (_title, text, wanted) => {
    expect(split(text, size)).toEqual({ reasoning: '', content: '', calls: '', ...wanted });
  });

  it('starts in the thought when the prompt opened it', () => {
    const got = split('Hm.\n</think>\n\nDone.', size, { thinking: true, calls: true });
    expect(got).toEqual({ reasoning: 'Hm.', content: 'Done.', calls: '' });
  });

  it('leaves calls in the content when none were asked for', () => {
    const got = split(CALL, size, { thinking: false, calls: false });
    expect(got).toEqual({ reasoning: '', content: CALL, calls: '' });
  });
});
