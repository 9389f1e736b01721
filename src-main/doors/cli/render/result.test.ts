import { describe, expect, test } from 'vitest';
import { sessionResultSchema, type SessionResult } from '../../../contract/index.ts';
import { exitCodeOf } from '../commands/run-session.ts';
import { RESULT } from '../sample-session.ts';
import { renderResult } from './result.ts';

const { patch } = RESULT;

function lines(change: Partial<SessionResult>): string[] {
  return renderResult({ ...RESULT, ...change }).split('\n');
}

describe('renderResult', () => {
  test('the sample is what the contract says', () => {
    expect(sessionResultSchema.parse(RESULT)).toEqual(RESULT);
  });

  test('a verified patch', () => {
    expect(renderResult(RESULT)).toBe(`Fixed and verified.
Patch     /out/s1abc.patch
Change    +3 -2 in 2 files
          M shop/total.py  +3 -2
          A logo.png  binary
Look at   logo.png changes a binary file
          shop/total.py:12 adds network, process or eval calls (os.system)
Left out  build/x.o (ignored by .gitignore)
Verify    failed before, passes with the patch
          by pytest -q
Restored  tests/test_total.py
Attempts  1  the model gave its final answer; 6 steps; 12,345 tokens in (9,000 cached), 678 out; 15 s (model 12 s, tools 1.2 s); peak 210 MiB
Session   s1abc
Next      git -C '/home/ann/my shop' apply /out/s1abc.patch
`);
  });

  test('parts that a review rejected are named', () => {
    const rejected = [
      { path: 'shop/total.py', header: '@@ -1,3 +1,4 @@' },
      { path: 'logo.png', header: 'new file mode 100644' },
    ];
    const shown = lines({ patch: patch && { ...patch, rejected } });
    const first = shown.findIndex((line) => line.startsWith('Rejected'));
    expect(shown.slice(first, first + 4)).toEqual([
      'Rejected  in review, not exported: 2 parts',
      '          shop/total.py  @@ -1,3 +1,4 @@',
      '          logo.png  new file mode 100644',
      'Look at   logo.png changes a binary file',
    ]);
  });

  test('on a terminal, lines break between words, but for what is copied', () => {
    const rows = renderResult(RESULT, 40).split('\n');
    expect(rows.slice(0, 2)).toEqual(['Fixed and verified.', 'Patch     /out/s1abc.patch']);
    expect(rows).toContain('          shop/total.py:12 adds network,');
    expect(rows).toContain('             process or eval calls');
    expect(rows.at(-2)).toBe("Next      git -C '/home/ann/my shop' apply /out/s1abc.patch");
  });

  test('P08: nothing changed is said, and no file is named', () => {
    const text = renderResult({
      ...RESULT,
      outcome: 'no_patch',
      patch: null,
      leftOut: [],
      verification: null,
    });
    expect(text).toBe(`No patch: nothing was changed.
Attempts  1  the model gave its final answer; 6 steps; 12,345 tokens in (9,000 cached), 678 out; 15 s (model 12 s, tools 1.2 s); peak 210 MiB
Session   s1abc
Next      vivarium show s1abc --steps
`);
  });

  test('P02 P03 P07: only left-out changes are not called nothing', () => {
    const leftOut = [{ path: 'sub/lib.py', reason: 'inside a submodule' }];
    expect(lines({ outcome: 'no_patch', patch: null, leftOut }).slice(0, 2)).toEqual([
      'No patch: all that was changed is left out.',
      'Left out  sub/lib.py (inside a submodule)',
    ]);
  });

  test('P12: a working tree that has changed since', () => {
    expect(lines({ patch: patch && { ...patch, appliesToWorkingTree: false } }).at(-2)).toBe(
      "Next      git -C '/home/ann/my shop' apply /out/s1abc.patch --3way  (your working tree has changed since)",
    );
  });

  test('other endings and their next step', () => {
    const next = (change: Partial<SessionResult>) => lines(change).at(-2);
    expect(next({ outcome: 'interrupted' })).toBe('Next      vivarium resume s1abc');
    expect(next({ outcome: 'cancelled' })).toBe('Next      vivarium resume s1abc');
    expect(next({ outcome: 'not_verified' })).toBe('Next      vivarium show s1abc --patch');
    expect(next({ patch: patch && { ...patch, file: null } })).toBe(
      'Next      vivarium export s1abc --out DIR',
    );
    expect(lines({ outcome: 'failed', detail: 'the disk\nis full' })[0]).toBe(
      'Failed. the disk is full',
    );
  });

  test('a command that is not in the image: what it said, and how to get it there', () => {
    const { verification } = RESULT;
    if (verification === null) throw new Error('the sample has a verification');
    const outputTail = 'one\nbash: line 2: make: command not found\n';
    const run = { ...verification.after, exitCode: 127, passed: false, outputTail };
    const failed = { ...verification, passed: false, before: run, after: run };
    const shown = lines({ outcome: 'not_verified', verification: failed });
    expect(shown).toContain('Output    ... bash: line 2: make: command not found');
    expect(shown.at(-2)).toBe(
      'Next      vivarium images build --package NAME --tag TAG  (then again with --image TAG)',
    );
    const told = { ...run, exitCode: 1, reason: 'it ran out of memory' };
    const known = lines({ verification: { ...failed, after: told } });
    expect(known.join('\n')).not.toContain('Output');
  });

  test('P10: hostile names and words are shown, not obeyed', () => {
    const file = {
      path: 'a\n\x1b[2J\u202e.py',
      status: 'added',
      insertions: 1,
      deletions: 0,
    } as const;
    const shown = lines({ patch: patch && { ...patch, files: [file] }, detail: '\x1b]0;x\x07' });
    expect(shown).toContain('          A a\\n\\x1b[2J\\u{202e}.py  +1 -0');
    expect(shown[0]).toBe('Fixed and verified. \\x1b]0;x\\x07');
  });

  test('long lists are cut, with how many more there are', () => {
    const leftOut = Array.from({ length: 25 }, (_, index) => ({ path: `f${index}`, reason: 'r' }));
    const shown = lines({ leftOut });
    expect(shown).toContain('          f19 (r)');
    expect(shown).not.toContain('          f20 (r)');
    expect(shown).toContain('          ... and 5 more');
  });
});

test('exit codes: 0 only for an exported patch that is verified where that was asked', () => {
  const code = (change: Partial<SessionResult>) => exitCodeOf({ ...RESULT, ...change });
  expect(code({})).toBe(0);
  expect(code({ outcome: 'patched', verification: null })).toBe(0);
  expect(code({ outcome: 'patched', patch: patch && { ...patch, file: null } })).toBe(1);
  expect(code({ outcome: 'verified', patch: null })).toBe(1);
  for (const outcome of ['not_verified', 'no_patch', 'cancelled', 'failed'] as const) {
    expect(code({ outcome })).toBe(1);
  }
});
