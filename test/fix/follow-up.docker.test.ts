import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodiesOf } from '../../src-main/fix/index.ts';
import {
  applied,
  bash,
  edit,
  leftovers,
  openSetting,
  turn,
  VERIFY,
  write,
  WRONG,
  type Setting,
} from './setting.ts';

let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(async () => {
  await setting.dispose();
});

const context = { signal: new AbortController().signal };
const FIXED = 'def clamp(x, lo, hi):\n    return max(lo, min(x, hi))\n';

/** The same model file with other replies, as another day's model would give. */
async function nextReplies(model: string, ...lines: object[]): Promise<void> {
  const file = model.slice('script:'.length);
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
}

async function ended(session: string): Promise<void> {
  const until = Date.now() + 90_000;
  while (setting.core.result(session).outcome === 'running') {
    if (Date.now() > until) throw new Error('the session did not end');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function wrongFix(): Promise<{ model: string; session: string; attempt: string }> {
  const model = await setting.script(
    turn(WRONG, write('notes.txt', 'for myself\n'), write('keep.py', 'KEEP = 1\n')),
    { content: 'Done.' },
  );
  const result = await setting.fix({ model, verify: VERIFY });
  expect(result.outcome).toBe('not_verified');
  return { model, session: result.sessionId, attempt: result.patch?.attemptId ?? '' };
}

test('a follow-up starts from what the review let through, and its patch holds both', async () => {
  const { handlers } = setting.core;
  const { model, session, attempt } = await wrongFix();
  const review = await handlers['review/get']({ session }, context);
  expect(review.files.map((file) => file.path)).toEqual(['calc.py', 'keep.py', 'notes.txt']);
  await handlers['review/decide'](
    { session, attempt, hunks: ['2'], decision: 'rejected' },
    context,
  );
  const note = { path: 'calc.py', line: 2, text: 'The upper bound is still not used.' };
  await handlers['review/note']({ session, attempt, note }, context);

  await nextReplies(
    model,
    turn(bash('cat calc.py; ls; git status --short; git log --oneline | wc -l')),
    turn(edit('calc.py', 'min(lo, x)', 'min(x, hi)'), bash('echo KEEP = 2 > keep.py')),
    { content: 'Done.' },
  );
  const follow = await handlers['sessions/followUp'](
    { session, attempt, text: 'Nearly.' },
    context,
  );
  await ended(follow.session);

  const events = setting.core.events(follow.session);
  const [created] = bodiesOf(events, 'session.created');
  expect(created?.issue).toBe(
    [
      'clamp is wrong',
      '## Review',
      'A patch for this is in the files already, not committed: `git diff` shows it. A reviewer read it and asks for changes. Keep what is right, change what is asked for, and check your work again.',
      'Nearly.',
      '`calc.py` line 2:',
      '```text\n    return max(lo, min(lo, x))\n```',
      'The upper bound is still not used.',
      'The reviewer rejected these parts; they are not in the files:',
      '- `notes.txt` `new file mode 100644`\n',
    ].join('\n\n'),
  );
  expect([created?.title, created?.followUp?.sessionId, created?.followUp?.attemptId]).toEqual([
    'clamp is wrong',
    session,
    attempt,
  ]);
  const [first] = bodiesOf(events, 'step.finished');
  const seen = first?.messages.find((message) => message.role === 'tool')?.content ?? '';
  expect(seen).toContain('min(lo, x)');
  expect(seen).toContain(' M calc.py\n?? keep.py\n1');
  expect(seen).not.toContain('notes.txt');

  const result = setting.core.result(follow.session);
  expect([result.outcome, result.patch?.files.map((file) => file.path)]).toEqual([
    'verified',
    ['calc.py', 'keep.py'],
  ]);
  const out = path.join(setting.folder, 'followed');
  const exported = await handlers['review/export'](
    { session: follow.session, format: 'patch', out },
    context,
  );
  const [patch = ''] = exported.files;
  expect(await applied(setting, patch, 'calc.py')).toBe(FIXED);
  expect(await applied(setting, patch, 'keep.py')).toBe('KEEP = 2\n');
  expect(exported.command).toBe(`git -C ${setting.repo} apply ${patch}`);
  expect(await setting.git('status', '--short')).toBe('');
  expect(await leftovers(follow.session)).toEqual([]);
});

test('a follow-up is run again from the same files, with the changes that are asked for', async () => {
  const { handlers } = setting.core;
  const { model, session, attempt } = await wrongFix();
  await nextReplies(model, turn(bash('git diff --stat')), { content: 'Nothing to do.' });
  const first = await handlers['sessions/followUp']({ session, attempt, text: 'Use hi.' }, context);
  await ended(first.session);
  // The next day's model sees the same files, also where the snapshot has to be taken anew.
  await setting.core.clean();
  await nextReplies(
    model,
    turn(bash('git status --short'), edit('calc.py', 'min(lo, x)', 'min(x, hi)')),
    { content: 'Done.' },
  );
  const changes = { seed: 7, attempts: 1 };
  const again = await handlers['sessions/again']({ session: first.session, changes }, context);
  await ended(again.session);

  const [before] = bodiesOf(setting.core.events(first.session), 'session.created');
  const events = setting.core.events(again.session);
  const [created] = bodiesOf(events, 'session.created');
  expect([created?.issue, created?.title, created?.followUp]).toEqual([
    before?.issue,
    'clamp is wrong',
    before?.followUp,
  ]);
  const [step] = bodiesOf(events, 'step.finished');
  const seen = step?.messages.find((message) => message.role === 'tool')?.content ?? '';
  expect(seen).toContain(' M calc.py\n?? keep.py\n?? notes.txt');
  const result = setting.core.result(again.session);
  expect(result.attempts.map(({ seed }) => seed)).toEqual([7]);
  expect([result.outcome, result.patch?.files.map((file) => file.path)]).toEqual([
    'verified',
    ['calc.py', 'keep.py', 'notes.txt'],
  ]);

  const elsewhere = { repository: setting.folder };
  await expect(
    handlers['sessions/again']({ session: first.session, changes: elsewhere }, context),
  ).rejects.toMatchObject({
    code: 'usage',
    message: `session ${first.session} goes on from a patch, which is of its own repository`,
  });
  // Where its files cannot be had any more, it says so and leaves nothing.
  await setting.core.clean();
  await writeFile(path.join(setting.repo, 'more.py'), '');
  await expect(
    handlers['sessions/again']({ session: first.session, changes }, context),
  ).rejects.toMatchObject({
    code: 'store_failed',
    message: `the snapshot of session ${first.session} was removed, and its repository has changed since`,
  });
});

test('P11: a follow-up that is stopped keeps both changes, and goes on from them', async () => {
  const { handlers } = setting.core;
  const { model, session, attempt } = await wrongFix();
  // The snapshot is not needed any more: a tree that is as it was gives the same one.
  await setting.core.clean();
  await nextReplies(
    model,
    turn(write('more.py', 'MORE = 1\n'), bash('rm notes.txt')),
    turn(bash('sleep 60; cat calc.py')),
    turn(edit('calc.py', 'min(lo, x)', 'min(x, hi)')),
    { content: 'Done.' },
  );
  const follow = await handlers['sessions/followUp'](
    { session, attempt, text: 'Use hi.' },
    context,
  );
  const until = Date.now() + 60_000;
  while (bodiesOf(setting.core.events(follow.session), 'step.finished').length === 0) {
    if (Date.now() > until) throw new Error('no step was made');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await handlers['sessions/stop']({ session: follow.session }, context);
  const stopped = setting.core.result(follow.session);
  expect([stopped.outcome, stopped.patch?.files.map((file) => file.path)]).toEqual([
    'cancelled',
    ['calc.py', 'keep.py', 'more.py'],
  ]);
  await nextReplies(
    model,
    turn(write('more.py', 'MORE = 1\n'), bash('rm notes.txt')),
    // Whether the stopped step is on record depends on the moment: the edit comes in either case.
    turn(edit('calc.py', 'min(lo, x)', 'min(x, hi)')),
    turn(edit('calc.py', 'min(lo, x)', 'min(x, hi)')),
    { content: 'Done.' },
  );
  await setting.restart();
  const resumed = await setting.core.resume(follow.session);
  expect([resumed.outcome, resumed.patch?.files.map((file) => file.path)]).toEqual([
    'verified',
    ['calc.py', 'keep.py', 'more.py'],
  ]);
});

test('a follow-up without a word is refused, and so is one of a session without a patch', async () => {
  const { handlers } = setting.core;
  const { session, attempt } = await wrongFix();
  await expect(
    handlers['sessions/followUp']({ session, attempt, text: ' ' }, context),
  ).rejects.toMatchObject({ code: 'usage', message: 'there is no word on what to change' });
  expect(setting.core.sessions()).toHaveLength(1);
});
