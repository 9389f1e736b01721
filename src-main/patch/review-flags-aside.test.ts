import { expect, test } from 'vitest';
import { reviewFlagsAside } from './review-flags-aside.ts';
import { reviewFlags } from './review-flags.ts';

/** A patch that adds a file of many lines, some of them odd. */
function patchOf(lines: number): Buffer {
  const added = Array.from({ length: lines }, (_, n) =>
    n % 1000 === 0 ? `+a = "\u202e${n}"` : `+a line of some source code ${n}`,
  );
  return Buffer.from(
    [
      'diff --git a/tests/new.py b/tests/new.py',
      'new file mode 100644',
      'index 0000000000000000000000000000000000000000..1111111111111111111111111111111111111111',
      '--- /dev/null',
      '+++ b/tests/new.py',
      `@@ -0,0 +1,${lines} @@`,
      ...added,
      '',
    ].join('\n'),
  );
}

test('a large patch gives the flags that it gives in place, and holds up nobody', async () => {
  const patch = patchOf(200_000);
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  const flags = await reviewFlagsAside(patch);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(5);
  expect(flags).toEqual(reviewFlags(patch));
  expect(flags.map(({ kind }) => kind)).toContain('hidden_characters');
});

test('a small one, and large bytes that are no patch, are told as in place', async () => {
  expect(await reviewFlagsAside(patchOf(3))).toEqual(reviewFlags(patchOf(3)));
  await expect(reviewFlagsAside(Buffer.alloc(200_000, 'no patch\n'))).rejects.toMatchObject({
    code: 'patch_invalid',
  });
});
