import { expect, test } from 'vitest';
import { FINISHED, STEP, stored } from '../sample-session.ts';
import { renderTimeline } from './timeline.ts';

const STARTED = {
  type: 'attempt.started',
  number: 1,
  seed: 7,
  owner: 'me',
  resumedFromStep: null,
} as const;

test('a session step by step', () => {
  expect(renderTimeline(stored(STARTED, STEP, FINISHED), 60)).toBe(`
Attempt 1 (seed 7)

Step 1  model 2.1 s, tools 2.4 s, 1,234 tokens in (1,000 cached), 56 out, 210 MiB
  thinks
    The total is off.
    So I read it.
  says
    I look first.
  Read (12 ms)
    file_path: shop/total.py
    limit: 20
    | 1    def total(items):
  Bash (2.3 s, exit code 1, out of memory) failed
    command: pytest -q⏎ls
    | line 1
    | line 2
    | line 3
    | line 4
    | line 5
    | line 6
    | line 7
    | line 8
    | ... 8 lines more ...
    | line 17
    | line 18
    | line 19
    | line 20
    note: the output was cut
  writes shop/total.py
  deletes old.py
  tried again: the server closed the stream
  note: a call was found in the content

Ended after 5.0 s: the model gave its final answer
`);
});

test('long lines are cut at the width; P10: hostile text is shown, not obeyed', () => {
  const content = `${'x'.repeat(100)}\n\x1b[31mred\u202e`;
  const arguments_ = '{"file_path": "\x1b[2J';
  const step = {
    ...STEP,
    messages: [
      {
        role: 'assistant' as const,
        content,
        toolCalls: [{ id: 'c', name: 'Re\x1bad', arguments: arguments_ }],
      },
    ],
    observations: [],
    changes: [],
    retries: [],
    notes: [],
  };
  const lines = renderTimeline(stored(STARTED, step), 40).split('\n');
  expect(lines.slice(5)).toEqual([
    `    ${'x'.repeat(35)}…`,
    '    \\x1b[31mred\\u{202e}',
    '  Re\\x1bad',
    '    {"file_path": "\\x1b[2J',
    '',
  ]);
});

test('attempts that ran side by side are shown one after the other', () => {
  const note = { type: 'note', level: 'info', text: 'n' } as const;
  const other = { ...STARTED, number: 2 };
  const [first, second, third, fourth] = stored(STARTED, other, note, note).map((event, index) => ({
    ...event,
    attemptId: index % 2 === 0 ? 'a1' : 'a2',
  }));
  const events = [first, second, third, fourth].filter((event) => event !== undefined);
  expect(renderTimeline(events, 60)).toBe(`
Attempt 1 (seed 7)
[1] info: n

Attempt 2 (seed 7)
[2] info: n
`);
});
