import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash, DONE as OVER, openEvalPlace, SOLVE, type EvalPlace } from '../support/eval-place.ts';
import { leftovers, makePlace, removePlace, run, start, type Place } from './command.ts';

let place: Place;
let tasks: EvalPlace;

beforeEach(async () => {
  place = await makePlace();
  tasks = await openEvalPlace();
  await tasks.addTask('one');
  await tasks.addTask('two');
});

afterEach(async () => {
  await tasks.dispose();
  await removePlace(place);
});

const words = (model: string, ...more: string[]) => [
  ...['eval', 'run', '--tasks', tasks.tasks, '--model', model, ...more],
];

describe('vivarium eval', () => {
  test('run, list, show and regrade say the same of a run', async () => {
    const model = await tasks.script('good', SOLVE);
    const ran = await run(place, ...words(model, '--seeds', '2', '--name', 'first', '--json'));
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('4 of 4 done, 4 resolved')]);
    const details = JSON.parse(ran.stdout) as { run: { runId: string } };
    expect(details.run).toMatchObject({ name: 'first', state: 'done', cells: { resolved: 4 } });
    const { runId } = details.run;
    const shown = await run(place, 'eval', 'show', runId.slice(0, 6), '--json');
    expect(JSON.parse(shown.stdout)).toEqual(details);
    const table = await run(place, 'eval', 'show', runId);
    expect(table.stdout).toMatch(/4 of 4 {4}100\.0 % {2}0 .* good x leaf\n/);
    const listed = await run(place, 'eval', 'list');
    expect(listed.stdout).toMatch(new RegExp(`\\n${runId} +done .* 4/4 +4/4 +0 +first`));
    const graded = await run(place, 'eval', 'regrade', runId);
    expect(graded.stdout).toBe('graded again: 4 cells, 0 verdicts changed\n');
    expect((await run(place, 'sessions')).stderr).toContain('There are no sessions yet.');
    const cells = await run(place, 'sessions', '--run', runId, '--json');
    expect(JSON.parse(cells.stdout)).toHaveLength(4);
    expect(await leftovers(place)).toEqual([]);
  });

  test('Ctrl-C stops it, and --resume does the rest', async () => {
    const slow = [{ when: 'Fix two' }, bash('sleep 600'), OVER];
    const model = await tasks.script('slow', [{ when: 'Fix one' }, ...SOLVE, ...slow]);
    const running = start(place, words(model, '--workers', '1'));
    await running.says('1 of 2 done');
    running.kill('SIGINT');
    const stopped = await running.ended;
    expect(stopped.code).toBe(1);
    const runId = /--resume ([0-9a-z]+)\n$/.exec(stopped.stderr)?.[1] ?? '';
    expect(stopped.stdout).toMatch(new RegExp(`^Run ${runId} "tasks": stopped`));
    await tasks.script('slow', SOLVE);
    const resumed = await run(place, 'eval', 'run', '--resume', runId);
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('2 of 2')]);
    expect(await leftovers(place)).toEqual([]);
  });

  test('a task that changes meanwhile has no verdict, and the exit code says so', async () => {
    const script = path.join(tasks.tasks, 'two', 'tests', 'test.sh');
    const slow = [{ when: 'Fix two' }, bash('sleep 5'), ...SOLVE];
    const model = await tasks.script('slow', [{ when: 'Fix one' }, ...SOLVE, ...slow]);
    const running = start(place, words(model, '--workers', '1'));
    await running.says('1 of 2 done');
    await appendFile(script, '# changed\n');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([3, expect.stringContaining('1 of 1')]);
    expect(stderr).toContain('two seed 0: Not graded: the task was changed while the run went on');
    expect(stderr).toMatch(/1 without a verdict, see the table; .* --resume \w+ --retry-infra\n$/);
  });

  test('what is missing is told before anything is on record', async () => {
    const model = await tasks.script('good', SOLVE);
    const none = await run(place, 'eval', 'run', '--model', model);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--tasks')]);
    const unknown = await run(place, ...words(model, '--only', 'three'));
    expect([unknown.code, unknown.stderr]).toEqual([
      ...[2, expect.stringContaining('there is no task three')],
    ]);
    const preset = await run(
      place,
      'eval',
      'run',
      '--tasks',
      'swe-bench-verified',
      '--model',
      model,
    );
    expect([preset.code, preset.stderr]).toEqual([
      ...[2, expect.stringContaining('the tasks of SWE-bench Verified are not at')],
    ]);
    await writeFile(path.join(tasks.tasks, 'one', 'task.toml'), 'no = [toml');
    const only = await run(place, ...words(model, '--limit', '1', '--json'));
    expect([only.code, only.stderr]).toEqual([0, expect.stringMatching(/note: left out: .*one/)]);
    expect((await run(place, 'eval', 'show', 'zzz')).code).toBe(2);
  });
});
