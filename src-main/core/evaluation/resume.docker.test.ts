import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  bash,
  DONE,
  openEvalPlace,
  serveLines,
  SOLVE,
  type EvalPlace,
} from '../../../test/support/eval-place.ts';
import { runEvaluation } from '../../evaluation/index.ts';
import { Environment } from '../environment.ts';
import { planRun } from './plan-run.ts';
import { runParts } from './run-parts.ts';

const CLI = path.resolve(import.meta.dirname, '../../doors/cli/main.ts');
const NOTHING = { containers: 0, volumes: 0, snapshots: [] };

let place: EvalPlace;
beforeEach(async () => {
  place = await openEvalPlace();
});
afterEach(() => place.dispose());

/** A model that solves `one` at once and never comes to an end with `two`. */
async function slowModel(): Promise<string> {
  return place.script('slow', [
    ...[{ when: 'Fix one' }, ...SOLVE],
    ...[{ when: 'Fix two' }, bash('sleep 600'), DONE],
  ]);
}

const attemptsOf = (sessionId: string) =>
  place
    .core()
    .result(sessionId)
    .attempts.map(({ exitReason }) => exitReason);

describe('a run that was stopped', () => {
  test('keeps what is done, records what ran as stopped, and does that again', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const stop = new AbortController();
    const model = await slowModel();
    const { run, cells } = await place.core().evaluations.run(
      { tasks: place.tasks, models: [model], scaffolds: [], seeds: [0, 1], workers: 2 },
      {
        signal: stop.signal,
        onProgress: ({ finished, running }) => {
          const busy = running.filter(({ task, step }) => task === 'two' && step > 0);
          if (finished === 2 && busy.length === 2) stop.abort(new Error('enough'));
        },
      },
    );
    expect(run).toMatchObject({ state: 'stopped', cells: { graded: 2, resolved: 2, infra: 0 } });
    expect(cells.map(({ task, state }) => [task, state])).toEqual([
      ...[
        ['one', 'graded'],
        ['one', 'graded'],
        ['two', 'stopped'],
        ['two', 'stopped'],
      ],
    ]);
    expect(await place.remains()).toEqual(NOTHING);

    await place.closeCore();
    await place.script('slow', SOLVE);
    const after = await place.core().evaluations.resume(run.runId);
    expect(after.run).toMatchObject({ state: 'done', cells: { graded: 4, resolved: 4 } });
    expect(after.cells.map(({ sessionId }) => sessionId)).toEqual(
      cells.map(({ sessionId }) => sessionId),
    );
    expect(after.cells.map(({ tries }) => tries)).toEqual([1, 1, 2, 2]);
    expect(attemptsOf(cells[2]?.sessionId ?? '')).toEqual(['cancelled', 'agent']);
    expect(await place.remains()).toEqual(NOTHING);
  });

  test('a changed task is refused with what to do; so is a cell resumed by itself', async () => {
    await place.addTask('one');
    const model = await place.script('good', SOLVE);
    const { evaluations } = place.core();
    const { run, cells } = await evaluations.run({
      ...{ tasks: place.tasks, models: [model], scaffolds: [] },
    });
    await expect(place.core().resume(cells[0]?.sessionId ?? '')).rejects.toMatchObject({
      ...{ code: 'usage', next: expect.stringContaining(`--resume ${run.runId}`) as string },
    });
    await rm(path.join(place.tasks, 'one'), { recursive: true });
    await place.addTask('one', { instruction: 'Something else.' });
    await expect(evaluations.resume(run.runId)).rejects.toMatchObject({
      ...{ code: 'task_changed', message: 'the task one was changed since the run began' },
    });
    expect((await evaluations.show(run.runId)).run.state).toBe('done');
  });
});

describe('an attempt that had ended when the run was cut off', () => {
  test('only gets its verdict', async () => {
    await place.addTask('one');
    const model = await place.script('good', SOLVE);
    const environment = new Environment({ home: place.home, env: process.env });
    const stop = new AbortController();
    const request = { tasks: place.tasks, models: [model], scaffolds: [] };
    const { plan, specs } = await planRun(environment, request, {});
    const parts = runParts(environment, plan, specs, { signal: stop.signal });
    const judge = {
      ...parts.judge,
      grade: () => {
        stop.abort(new Error('stopped while it was judged'));
        return Promise.reject(new Error('stopped'));
      },
    };
    expect(await runEvaluation(plan, { ...parts, judge })).toMatchObject({ state: 'stopped' });
    await environment.close();

    const { cells } = await place.core().evaluations.resume(plan.runId);
    expect(cells).toMatchObject([{ state: 'graded', resolved: true, tries: 1 }]);
    const { sessionId = '' } = cells[0] ?? {};
    expect(attemptsOf(sessionId)).toEqual(['agent']);
    expect(place.core().result(sessionId).outcome).toBe('verified');
    expect(await place.remains()).toEqual(NOTHING);
  });
});

describe('kill -9', () => {
  test('loses only the running attempts; the rest is done by resume, and nothing is left behind', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const model = await slowModel();
    const child = spawn(
      process.execPath,
      [
        ...[CLI, 'eval', 'run', '--tasks', place.tasks, '--model', model],
        ...['--seeds', '2', '--workers', '2'],
      ],
      { stdio: 'ignore', env: { ...process.env, VIVARIUM_HOME: place.home } },
    );
    const ended = once(child, 'exit');
    const killed = await waitForRunning(child);
    await ended;
    expect(killed).toMatchObject({ state: 'running', cells: { graded: 2 } });
    await place.closeCore();

    await place.script('slow', SOLVE);
    const { evaluations } = place.core();
    expect(evaluations.list()).toMatchObject([{ runId: killed.runId, state: 'interrupted' }]);
    const before = (await evaluations.show(killed.runId)).cells;
    expect(before.map(({ state }) => state)).toEqual([
      ...['graded', 'graded', 'interrupted', 'interrupted'],
    ]);
    const after = await evaluations.resume(killed.runId);
    expect(after.run).toMatchObject({ state: 'done', cells: { total: 4, graded: 4, resolved: 4 } });
    expect(after.cells.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after.cells.map(({ tries }) => tries)).toEqual([1, 1, 2, 2]);
    expect(attemptsOf(after.cells[3]?.sessionId ?? '')).toEqual(['interrupted', 'agent']);
    expect(await place.remains()).toEqual(NOTHING);
  });
});

/** Kills the process once both cells of `one` have their verdict and both of `two` run a command. */
async function waitForRunning(child: ReturnType<typeof spawn>) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the run ended with ${child.exitCode}`);
    const { evaluations } = place.core();
    const [run] = evaluations.list();
    if (run !== undefined && run.cells.graded === 2 && run.cells.running === 2) {
      const { cells } = await evaluations.show(run.runId);
      const open = cells.filter(({ task }) => task === 'two');
      const events = open.flatMap(({ sessionId }) => place.core().events(sessionId));
      if (events.filter(({ body }) => body.type === 'attempt.opened').length === 2) {
        child.kill('SIGKILL');
        return run;
      }
    }
    await delay(100);
  }
}

describe('a model server that dies for good', () => {
  test('ends the run as failed, with the cell left undone', async () => {
    await place.addTask('one');
    await place.addTask('two');
    const script = [
      ...[{ when: 'Fix one' }, ...SOLVE],
      ...[{ when: 'Fix two' }, bash('sleep 2'), bash('sleep 2'), DONE],
    ];
    const server = await serveLines(script, 'key');
    process.env['VIVARIUM_API_KEY'] = 'key';
    const running = place.core().evaluations.run(
      {
        ...{ tasks: place.tasks, scaffolds: ['leaf'], seeds: [0], workers: 1 },
        models: [`http://127.0.0.1:${server.port}/v1`],
      },
      {
        onProgress: ({ running: [cell] }) => {
          if (cell?.task === 'two' && cell.step > 0) void server.close();
        },
      },
    );
    await expect(running).rejects.toMatchObject({ code: 'endpoint_unreachable' });
    delete process.env['VIVARIUM_API_KEY'];
    const { evaluations } = place.core();
    const [run] = evaluations.list();
    expect(run).toMatchObject({ state: 'failed', cells: { graded: 1, resolved: 1, infra: 0 } });
    const { cells } = await evaluations.show(run?.runId ?? '');
    expect(cells.map(({ task, state }) => [task, state])).toEqual([
      ...[
        ['one', 'graded'],
        ['two', 'interrupted'],
      ],
    ]);
    expect(await place.remains()).toEqual(NOTHING);
  });
});
