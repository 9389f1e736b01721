import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DONE, FIX, READ, script, start, fixWords, WAIT } from '../cli/command.ts';
import { cleanPlace, context, ended, eventOf, LIST, newFix, openCore, watch } from './place.ts';

/** What a session writes that reads, edits and answers. */
const WHOLE = [
  ...['session.created', 'snapshot.taken', 'attempt.started', 'workspace.opened'],
  ...['attempt.opened', 'step.finished', 'step.finished', 'step.finished'],
  ...['attempt.finished', 'patch.made', 'session.finished'],
];

test('a start gives the id at once; all that follows is told live, in order, and listed', async () => {
  const place = await cleanPlace();
  const core = openCore(place);
  const { handlers } = core;
  const live = watch(core);
  const model = await script(place, READ, FIX, { ...DONE, delay_ms: 300 });
  const { session } = await handlers['sessions/start'](newFix(place, model), context());
  expect(live.types()).not.toContain('session.finished');
  const list = await handlers['sessions/list'](LIST, context());
  expect(list).toMatchObject({
    rows: [
      {
        sessionId: session,
        title: 'The total is one too high',
        state: 'running',
        stoppable: true,
        unseen: false,
      },
    ],
    total: 1,
    counts: { running: 1 },
    repositories: [place.repository],
  });
  await live.until(eventOf('session.finished'));
  await ended(core, session);
  expect((await handlers['sessions/list'](LIST, context())).rows).toEqual([
    expect.objectContaining({
      state: 'patched',
      stoppable: false,
      unseen: true,
      steps: 3,
      files: 1,
    }),
  ]);

  expect(live.types()).toEqual(WHOLE);
  expect(live.numbers()).toEqual(WHOLE.map((_, index) => index + 1));
  // Told as it comes; what its event tells whole before it was taken is not told twice.
  const text = live.items.flatMap((item) =>
    item.kind === 'activity' && item.activity.kind === 'delta' && item.activity.step === 3
      ? [item.activity.text]
      : [],
  );
  expect(DONE.content.startsWith(text.join(''))).toBe(true);
  expect(text.join('')).not.toBe('');

  const got = await handlers['sessions/get']({ session }, context());
  expect(got).toMatchObject({
    row: { unseen: false, insertions: 1, deletions: 1 },
    result: { outcome: 'patched', attempts: [{ exitReason: 'agent', steps: 3 }] },
    issue: '# The total is one too high\n\n`total([1, 2])` gives 4.',
    verify: null,
    startCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  const events = await handlers['sessions/events']({ session, after: 0, limit: 4 }, context());
  expect([events.events.map(({ number }) => number), events.last, events.more]).toEqual([
    [1, 2, 3, 4],
    11,
    true,
  ]);
});

test('stop, resume and again: the attempt goes on where it was; the request is the same but for the changes', async () => {
  const place = await cleanPlace();
  const core = openCore(place);
  const { handlers } = core;
  const live = watch(core);
  const model = await script(place, FIX, WAIT);
  const fix = newFix(place, model, { maxSteps: 7, protect: ['keep/**'], seed: 5 });
  const { session } = await handlers['sessions/start'](fix, context());
  await live.until(
    (item) => item.kind === 'activity' && item.activity.kind === 'tool' && item.activity.step === 2,
  );
  await expect(handlers['sessions/resume']({ session }, context())).rejects.toMatchObject({
    code: 'usage',
    message: `session ${session} is running already`,
  });
  await handlers['sessions/stop']({ session }, context());
  const stopped = await handlers['sessions/get']({ session }, context());
  expect(stopped.row).toMatchObject({ state: 'cancelled', stoppable: false, files: 1 });
  // Of one that has ended there is nothing to stop.
  expect(await handlers['sessions/stop']({ session }, context())).toEqual({});

  const file = model.slice('script:'.length);
  const replies = [FIX, READ, DONE];
  await writeFile(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
  await handlers['sessions/resume']({ session }, context());
  await live.until(
    (item) =>
      item.kind === 'event' &&
      item.event.body.type === 'session.finished' &&
      item.event.body.outcome === 'patched',
  );
  await ended(core, session);

  const again = await handlers['sessions/again'](
    { session, changes: { seed: 6, attempts: 2 } },
    context(),
  );
  await live.until(eventOf('session.finished', again.session));
  const [created] = core.events(again.session);
  expect(created?.body).toMatchObject({
    type: 'session.created',
    issue: '# The total is one too high\n\n`total([1, 2])` gives 4.',
    request: { maxSteps: 7, protect: ['keep/**'], seed: 6, attempts: 2, model },
  });
  expect(core.result(again.session).attempts.map(({ seed }) => seed)).toEqual([6, 7]);
});

test('what speaks against a start is thrown, and nothing is on record; so is a start that is cancelled', async () => {
  const place = await cleanPlace();
  const model = await script(place, FIX, DONE);
  const nowhere = openCore(place, { DOCKER_HOST: 'unix:///nowhere.sock' });
  const { handlers } = nowhere;
  await expect(handlers['sessions/start'](newFix(place, model), context())).rejects.toMatchObject({
    code: expect.stringMatching(/^docker_/),
  });
  await expect(
    handlers['sessions/start'](newFix(place, model, { limits: { pids: 2 } }), context()),
  ).rejects.toMatchObject({ code: 'usage', next: 'Give at least 16.' });
  const core = openCore(place);
  await expect(
    core.handlers['sessions/start'](newFix(place, model, { image: 'not-here:1' }), context()),
  ).rejects.toMatchObject({ code: 'image_missing' });
  const gone = AbortSignal.abort(new Error('the client is gone'));
  await expect(
    core.handlers['sessions/start'](newFix(place, model), context(gone)),
  ).rejects.toThrow('the client is gone');
  expect((await core.handlers['sessions/list'](LIST, context())).total).toBe(0);
});

test('two cores and a command on one home: each sees all events once, and stops only its own', async () => {
  const place = await cleanPlace();
  const [one, other] = [openCore(place), openCore(place)];
  const [own, foreign] = [watch(one), watch(other)];
  const model = await script(place, FIX, WAIT);
  const { session } = await one.handlers['sessions/start'](newFix(place, model), context());
  const command = start(place, fixWords(place, model));
  const isSecondStep = eventOf('step.finished');
  await foreign.until(isSecondStep);
  const created = await foreign.until(
    (item) =>
      eventOf('session.created')(item) && item.kind === 'event' && item.event.sessionId !== session,
  );
  const byCommand = created.kind === 'event' ? created.event.sessionId : '';
  const stoppable = async (core: typeof one) =>
    Object.fromEntries(
      (await core.handlers['sessions/list'](LIST, context())).rows.map((row) => [
        row.sessionId,
        row.stoppable,
      ]),
    );
  expect(await stoppable(one)).toEqual({ [session]: true, [byCommand]: false });
  expect(await stoppable(other)).toEqual({ [session]: false, [byCommand]: false });
  await expect(other.handlers['sessions/stop']({ session }, context())).rejects.toMatchObject({
    code: 'usage',
    message: `session ${session} is run by another process`,
  });

  // A process that dies without a word is told by whoever listens.
  await own.until(eventOf('step.finished', byCommand));
  command.kill('SIGKILL');
  await command.ended;
  await own.until(
    (item) =>
      item.kind === 'event' &&
      item.event.sessionId === byCommand &&
      item.event.body.type === 'attempt.finished' &&
      item.event.body.exitReason === 'interrupted',
  );
  await one.handlers['sessions/stop']({ session }, context());
  await foreign.until(eventOf('session.finished', session));
  await own.until(eventOf('session.finished', session));
  const all = one.events(session).length + one.events(byCommand).length;
  const numbers = Array.from({ length: all }, (_, index) => index + 1);
  expect([own.numbers(), foreign.numbers()]).toEqual([numbers, numbers]);
  const engine = await one.clean();
  expect(engine.unreached).toBeUndefined();
});

test('a core that closes in mid-run ends the session; the next one goes on and misses no event', async () => {
  const place = await cleanPlace();
  const model = await script(place, FIX, WAIT);
  const first = openCore(place);
  const live = watch(first);
  const { session } = await first.handlers['sessions/start'](newFix(place, model), context());
  await live.until(eventOf('step.finished'));
  await first.close();
  await live.end();
  const seen = live.numbers();

  const second = openCore(place);
  const more = watch(second, seen.at(-1) ?? 0, session);
  const { row } = await second.handlers['sessions/get']({ session }, context());
  expect(row).toMatchObject({ state: 'cancelled', stoppable: false, files: 1 });
  const file = model.slice('script:'.length);
  await writeFile(file, [FIX, DONE].map((reply) => `${JSON.stringify(reply)}\n`).join(''));
  await second.handlers['sessions/resume']({ session }, context());
  await more.until(
    (item) =>
      item.kind === 'event' &&
      item.event.body.type === 'session.finished' &&
      item.event.body.outcome === 'patched',
  );
  const all = second.events(session).map(({ number }) => number);
  expect([...seen, ...more.numbers()]).toEqual(all);
});
