import { expect, test } from 'vitest';
import { CONTRACT, type CellRow } from '../../contract/index.ts';
import { recordRun } from '../evaluation/recorded-run.ts';
import { openHandlers } from './testing/open.ts';

const ENTRIES = ['frog-nano x leaf', 'frog-nano x r2egym'];

test('a run on record is listed, reported and given cell by cell', async () => {
  const { environment, handlers, context } = openHandlers();
  recordRun(environment.store, { entries: ENTRIES });
  const [summary] = await handlers['evaluation/runs']({}, context);
  expect(summary).toMatchObject({ runId: 'r1', name: 'shop', state: 'done', tasks: 2, seeds: 3 });
  expect(summary?.cells.total).toBe(12);

  const report = await handlers['evaluation/run']({ run: 'r' }, context);
  expect(() => CONTRACT['evaluation/run'].output.parse(report)).not.toThrow();
  expect(report.tasks).toEqual(['totals', 'tax']);
  expect(report.entries.map(({ entry, planned }) => [entry.label, planned])).toEqual([
    ['frog-nano x leaf', 6],
    ['frog-nano x r2egym', 6],
  ]);
  expect(report.comparisons.map(({ a, b }) => [a, b])).toEqual([ENTRIES]);
  expect([report.stoppable, report.timeLeft]).toEqual([false, null]);

  const { cells, number } = await handlers['evaluation/cells']({ run: 'r1' }, context);
  expect(number).toBe(report.number);
  expect(cells).toHaveLength(12);
  const solved = cells.filter((row) => row[5] === 'resolved').length;
  expect(solved).toBe(summary?.cells.resolved);
  expect(cells[0]?.slice(0, 5)).toEqual(['r1-0-tax-0', 1, 0, 0, 'graded']);
});

test('many cells are read beside the main thread, and are small on the wire', async () => {
  const { environment, handlers, context } = openHandlers();
  const tasks = Array.from({ length: 24 }, (_, at) => `project__project-${10_000 + at}`);
  recordRun(environment.store, { tasks, entries: ENTRIES, seeds: 1 });
  const { cells } = await handlers['evaluation/cells']({ run: 'r1' }, context);
  expect(cells).toHaveLength(48);
  // Ids of real sessions have 26 characters; 6,000 cells are some half a megabyte.
  const ofReal = cells.map(([, ...rest]): CellRow => ['0'.repeat(26), ...rest]);
  expect(JSON.stringify(ofReal).length / 48).toBeLessThan(100);
  const report = await handlers['evaluation/run']({ run: 'r1' }, context);
  const again = await handlers['evaluation/run']({ run: 'r1' }, context);
  expect(again).toEqual(report);
  expect(report.reach).toMatchObject({ tasks: 24, seeds: 1, flipsMeasured: false });
});

test('a cell tells its run, its grading, and what a person says of it', async () => {
  const { environment, handlers, context } = openHandlers();
  const { store } = environment;
  const [session = ''] = recordRun(store, { name: 'evening' });
  const got = await handlers['evaluation/cell']({ session }, context);
  expect(got?.run).toEqual({ runId: 'r1', name: 'evening' });
  expect(got?.entry).toBe('frog-nano x leaf');
  expect(got?.cell).toMatchObject({ task: 'totals', seed: 0, tries: 1, label: null });

  const note = 'The test asks for an order that nobody promised.';
  await handlers['evaluation/label']({ session, label: 'unfair test', note }, context);
  const labelled = await handlers['evaluation/cell']({ session }, context);
  expect(labelled?.cell.label).toEqual({ label: 'unfair test', note });
  const report = await handlers['evaluation/run']({ run: 'r1' }, context);
  expect(report.labels).toEqual([{ label: 'unfair test', cells: 1 }]);
  await handlers['evaluation/label']({ session, label: null, note: '' }, context);
  expect((await handlers['evaluation/cell']({ session }, context))?.cell.label).toBeNull();

  store.append({
    ...{ sessionId: 's9', attemptId: null },
    body: { ...createdOf(store, session), cell: undefined },
  });
  expect(await handlers['evaluation/cell']({ session: 's9' }, context)).toBeNull();
  const refused = handlers['evaluation/label']({ session: 's9', label: 'x', note: '' }, context);
  await expect(refused).rejects.toMatchObject({ code: 'usage' });
});

test('two runs are compared over the tasks that both have', async () => {
  const { environment, handlers, context } = openHandlers();
  const tasks = ['totals', 'tax', 'basket'];
  recordRun(environment.store, { tasks });
  recordRun(environment.store, { runId: 'r2', name: 'later', tasks: tasks.slice(1), luck: 5 });
  const result = await handlers['evaluation/compare']({ run: 'r2', with: 'r1' }, context);
  expect(() => CONTRACT['evaluation/compare'].output.parse(result)).not.toThrow();
  expect(result.before.runId).toBe('r1');
  expect(result.comparisons).toHaveLength(1);
  const [one] = result.comparisons;
  expect([one?.tasks, one?.leftOut]).toEqual([2, 1]);
  expect((one?.better.length ?? 0) + (one?.worse.length ?? 0) + (one?.same ?? 0)).toBe(2);
});

test('who watches after a number is told each change once, as it is now', async () => {
  const { environment, handlers, context } = openHandlers();
  const { store } = environment;
  recordRun(store, { state: 'running', begun: 3, running: 1 });
  const { number, cells } = await handlers['evaluation/cells']({ run: 'r1' }, context);
  expect(cells.map((row) => row[4])).toEqual(['graded', 'graded', 'running'].toSorted());
  const report = await handlers['evaluation/run']({ run: 'r1' }, context);
  expect(report.summary).toMatchObject({ state: 'running', cells: { running: 1, total: 6 } });

  const stop = new AbortController();
  const watching = handlers['evaluation/watch'](
    { run: 'r1', after: number },
    { signal: stop.signal },
  );
  const first = await watching.next();
  expect(first.value).toMatchObject({ number, cells: [] });
  const session = 'r1-0-totals-2';
  store.append({ sessionId: session, attemptId: null, body: labelBody('slow') });
  recordRun(store, { runId: 'r2', tasks: ['totals'], seeds: 1 });
  const second = await watching.next();
  expect(second.value).toMatchObject({ number: store.lastNumber() });
  expect('cells' in second.value && second.value.cells.map((row) => [row[0], row[11]])).toEqual([
    [session, 'slow'],
  ]);
  stop.abort();
  expect(await watching.next()).toEqual({ done: true, value: {} });

  // A client that lost its connection asks with the number it had.
  const again = new AbortController();
  const later = handlers['evaluation/watch'](
    { run: 'r1', after: number },
    { signal: again.signal },
  );
  const caughtUp = await later.next();
  expect('cells' in caughtUp.value && caughtUp.value.cells.map((row) => row[0])).toEqual([session]);
  again.abort();
  await later.return({});
});

test('what runs elsewhere is not stopped here, and what is not there has its code', async () => {
  const { environment, handlers, context } = openHandlers();
  recordRun(environment.store, { state: 'running', begun: 1 });
  const stopping = handlers['evaluation/stop']({ run: 'r1' }, context);
  await expect(stopping).rejects.toMatchObject({ code: 'usage' });
  const missing = handlers['evaluation/run']({ run: 'nobody' }, context);
  await expect(missing).rejects.toMatchObject({ code: 'run_not_found' });
});

function labelBody(label: string) {
  return { type: 'cell.labelled' as const, label, note: '' };
}

type Store = ReturnType<typeof openHandlers>['environment']['store'];

function createdOf(store: Store, sessionId: string) {
  const body = store.events({ sessionId, limit: 1 })[0]?.body;
  if (body?.type !== 'session.created') throw new Error('no session');
  return body;
}
