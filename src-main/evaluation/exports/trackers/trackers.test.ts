import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from '../export-run.ts';
import { addCell, INFRA, testRun, type TestRun } from '../testing.ts';
import { receiver, type Receiver } from './testing.ts';

let test: TestRun;
let server: Receiver | undefined;
beforeEach(() => {
  test = testRun();
  addCell(test, { task: 'one', turns: [{}, {}] });
  addCell(test, { task: 'two', grading: INFRA, exitReason: 'workspace_lost' });
  addCell(test, { task: 'one', entry: 1, grading: { resolved: false, reward: 0 } });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  test.close();
});

/** As MLflow 3 answers. */
async function mlflow(known: string[]): Promise<Receiver> {
  let runs = 0;
  return receiver(({ url }) => {
    const path = url?.replace('/api/2.0/mlflow/', '');
    if (path === 'experiments/search') {
      return { body: { experiments: known.map((name) => ({ experiment_id: '3', name })) } };
    }
    if (path === 'experiments/create') return { body: { experiment_id: '9' } };
    if (path === 'runs/create') return { body: { run: { info: { run_id: `m${(runs += 1)}` } } } };
    return { body: {} };
  });
}

describe('MLflow', () => {
  it('a run for each entry: parameters, figures, the series of its cells, the end', async () => {
    server = await mlflow([]);
    const report = await exportRun(test.source(), {
      ...{ format: 'mlflow', to: server.to, headers: ['authorization: Bearer x'] },
    });
    expect(report).toEqual({ folder: null, files: 0, cells: 3, notes: [] });
    const calls = server.received.map(({ url }) => url?.replace('/api/2.0/mlflow/', ''));
    const ofEntry = ['runs/create', 'runs/log-batch', 'runs/log-batch', 'runs/update'];
    expect(calls).toEqual(['experiments/search', 'experiments/create', ...ofEntry, ...ofEntry]);
    expect(server.received.every(({ headers }) => headers.authorization === 'Bearer x')).toBe(true);
    const bodies = server.received.map(({ body }) => body as Record<string, unknown>);
    expect(bodies[0]).toEqual({ max_results: 1, filter: "name = 'set'" });
    expect(bodies[1]).toEqual({ name: 'set' });
    expect(bodies[2]).toMatchObject({
      ...{ experiment_id: '9', run_name: 'set 1-frog-x-leaf' },
      tags: [{ key: 'vivarium.run', value: 'r1' }, { key: 'vivarium.version' }],
    });
    expect(bodies[3]).toMatchObject({ run_id: 'm1' });
    expect(bodies[3]?.['params']).toContainEqual({ key: 'scaffold', value: 'leaf' });
    const metrics = bodies[4]?.['metrics'] as { key: string; value: number; step: number }[];
    const values = Object.fromEntries(metrics.map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({
      ...{ pass_1: 1, runs_valid: 1, runs_infra: 1, tasks: 2, pass_at_1: 1, steps_p50: 2 },
      ...{ 'cell/resolved': 1, 'cell/reward': 1, 'cell/steps': 2 },
    });
    // A cell that nothing is known of is in no series.
    expect(metrics.filter(({ key }) => key === 'cell/resolved')).toHaveLength(1);
    expect(bodies[5]).toMatchObject({ run_id: 'm1', status: 'KILLED' });
    expect(bodies[8]?.['metrics']).toContainEqual(
      expect.objectContaining({ key: 'pass_1', value: 0 }),
    );
  });

  it('an experiment that is there is used; one request carries at most 1000 metrics', async () => {
    const many = testRun({
      tasks: Array.from({ length: 220 }, (_, at) => ({ name: `t${at}`, hash: 'h' })),
    });
    try {
      for (let at = 0; at < 220; at += 1) addCell(many, { task: `t${at}` });
      server = await mlflow(['frogs']);
      const request = { format: 'mlflow', to: server.to, experiment: 'frogs' } as const;
      await exportRun(many.source(), request);
      expect(server.received.some(({ url }) => url?.endsWith('experiments/create'))).toBe(false);
      const sizes = server.received.map(
        ({ body }) => (body as { metrics?: unknown[] }).metrics?.length ?? 0,
      );
      expect(Math.max(...sizes)).toBe(1000);
      expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(1050);
    } finally {
      many.close();
    }
  });

  it('a server that is none of MLflow’s, and a name that its filter cannot hold', async () => {
    server = await receiver(() => ({ body: '<html>' }));
    const { to } = server;
    const send = (experiment: string) =>
      exportRun(test.source(), { format: 'mlflow', to, experiment });
    await expect(send('x')).rejects.toMatchObject({ code: 'endpoint_error' });
    await expect(send("x' or '1")).rejects.toMatchObject({ code: 'usage' });
    expect(server.received).toHaveLength(1);
  });
});

describe('what does not fit together', () => {
  it.each([
    [{ format: 'results', to: 'http://h' }, '--to is for otlp and mlflow, not for results'],
    [{ format: 'otlp', to: 'http://h', out: '/x' }, 'both --to and --out are given'],
    [{ format: 'otlp', out: '/x', headers: ['a: b'] }, '--header goes with --to'],
    [{ format: 'atif', out: '/x', content: true }, '--content is for otlp'],
    [{ format: 'atif', out: '/x', experiment: 'e' }, '--experiment is for mlflow and wandb'],
    [{ format: 'atif', out: '/x', python: '/p' }, '--python is for wandb'],
    [{ format: 'wandb', out: '/x' }, 'wandb needs the Python that has it'],
    [{ format: 'mlflow', out: '/x' }, 'mlflow needs the address of its server'],
    [{ format: 'results' }, 'there is no folder to write to'],
    [{ format: 'otlp', to: 'http://h', headers: ['a\r\nb: c'] }, 'a header of --header cannot'],
  ] as const)('%j', async (request, message) => {
    const done = exportRun(test.source(), request);
    await expect(done).rejects.toMatchObject({ code: 'usage' });
    await expect(done).rejects.toThrow(message);
  });
});

describe('W&B', () => {
  it('a Python that is not there, or has no wandb: said, and nothing is left', async () => {
    const out = path.join(test.folder, 'out');
    const write = (python: string) => exportRun(test.source(), { format: 'wandb', out, python });
    await expect(write('/nowhere/python')).rejects.toMatchObject({
      ...{ code: 'usage', message: expect.stringContaining('cannot be started') },
    });
    // Whatever this machine's Python has: without its own packages.
    const bare = path.join(test.folder, 'python');
    writeFileSync(bare, '#!/bin/sh\nexec python3 -I -S "$@"\n', { mode: 0o755 });
    await expect(write(bare)).rejects.toMatchObject({
      ...{ code: 'usage', message: `${bare} has no wandb` },
    });
    await expect(write('/bin/false')).rejects.toMatchObject({
      ...{ code: 'engine_failed', message: 'wandb failed: exit code 1' },
    });
    expect(readdirSync(test.folder).includes('out')).toBe(false);
  });
});
