import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addCell,
  bashTurn,
  INFRA,
  testRun,
  type TestRun,
} from '../../src-main/evaluation/exports/testing.ts';
import { exportRun } from '../../src-main/evaluation/index.ts';
import { appFolder } from '../../src-main/lib/index.ts';
import { pickPort } from '../../src-main/models/supervisor/ports.ts';

/** Made by scripts/trackers.sh. */
const BIN = path.join(appFolder(), '.cache/trackers/bin');
const START_MS = 240_000;

let test: TestRun;
let folder: string;
let stop: (() => Promise<void>) | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-trackers-'));
  test = testRun();
  addCell(test, { task: 'one', turns: [bashTurn('ls', 'a.py'), {}] });
  addCell(test, { task: 'two', grading: INFRA, exitReason: 'workspace_lost' });
  addCell(test, { task: 'one', entry: 1, grading: { resolved: false, reward: 0 } });
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  test.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startMlflow(): Promise<string> {
  const port = await pickPort();
  const args = ['server', '--host', '127.0.0.1', '--port', String(port), '--workers', '1'];
  const child = spawn(
    path.join(BIN, 'mlflow'),
    [...args, '--backend-store-uri', `sqlite:///${folder}/mlflow.db`],
    {
      ...{ cwd: folder, detached: true, stdio: 'ignore' },
      env: {
        PATH: `${BIN}:${process.env['PATH']}`,
        HOME: folder,
        MLFLOW_DISABLE_TELEMETRY: 'true',
      },
    },
  );
  const ended = once(child, 'exit');
  stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  const to = `http://127.0.0.1:${port}`;
  const until = Date.now() + START_MS;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${to}/health`).catch(() => undefined);
    if (answer?.ok === true) return to;
    await sleep(500);
  }
  throw new Error('mlflow did not start');
}

async function ask(to: string, call: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${to}/api/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

describe.skipIf(!existsSync(path.join(BIN, 'mlflow')))('a real MLflow server', () => {
  it('has the run, its figures and its traces afterwards', async () => {
    const to = await startMlflow();
    await exportRun(test.source(), { format: 'mlflow', to, experiment: 'frogs' });
    // The experiment is found now, not made again.
    await exportRun(test.source(), { format: 'mlflow', to, experiment: 'frogs' });
    const search = { experiment_ids: ['1'], max_results: 10 };
    const { runs } = (await ask(to, '2.0/mlflow/runs/search', search)) as {
      runs: {
        info: { run_name: string; status: string };
        data: {
          metrics: { key: string; value: number }[];
          params: { key: string; value: string }[];
        };
      }[];
    };
    expect(runs.map(({ info }) => `${info.run_name}: ${info.status}`).toSorted()).toEqual([
      'set 1-frog-x-leaf: KILLED',
      'set 1-frog-x-leaf: KILLED',
      'set 2-frog-x-r2egym: KILLED',
      'set 2-frog-x-r2egym: KILLED',
    ]);
    const leaf = runs.find(({ info }) => info.run_name === 'set 1-frog-x-leaf');
    const values = Object.fromEntries(
      (leaf?.data.metrics ?? []).map(({ key, value }) => [key, value]),
    );
    expect(values).toMatchObject({ pass_1: 1, runs_infra: 1, 'cell/resolved': 1 });
    expect(leaf?.data.params).toContainEqual({ key: 'scaffold', value: 'leaf' });

    const headers = ['x-mlflow-experiment-id: 1'];
    await exportRun(test.source(), { format: 'otlp', to, headers });
    const found = (await ask(to, '3.0/mlflow/traces/search', {
      locations: [{ type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: '1' } }],
      max_results: 10,
    })) as { traces: { trace_id: string; state: string }[] };
    expect(found.traces).toHaveLength(3);
    await expect(exportRun(test.source(), { format: 'otlp', to })).rejects.toMatchObject({
      ...{ code: 'endpoint_refused', message: expect.stringContaining('x-mlflow-experiment-id') },
    });
  });
});

describe.skipIf(!existsSync(path.join(BIN, 'wandb')))('a real W&B', () => {
  it('writes an offline run for each entry, readable by its own reader', async () => {
    const out = path.join(folder, 'out');
    const python = path.join(BIN, 'python');
    const report = await exportRun(test.source(), { format: 'wandb', out, python });
    expect(report).toMatchObject({ folder: out, cells: 3 });
    const runs = readdirSync(path.join(out, 'wandb')).filter((name) =>
      name.startsWith('offline-run-'),
    );
    expect(runs).toHaveLength(2);
    // The file is a LevelDB log of the package's own messages, behind seven bytes of a header.
    const script = `
import glob, json, struct, sys
from wandb.proto import wandb_internal_pb2 as pb
def records(data):
    at, whole = 7, b""
    while at + 7 <= len(data):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
        size, kind = struct.unpack("<HB", data[at + 4:at + 7])
        whole += data[at + 7:at + 7 + size]
        at += 7 + size
        if kind in (1, 4):
            yield whole
            whole = b""
names, figures = set(), []
for file in glob.glob(sys.argv[1] + "/wandb/offline-run-*/*.wandb"):
    for data in records(open(file, "rb").read()):
        record = pb.Record()
        record.ParseFromString(data)
        if record.HasField("run"):
            names.add(record.run.display_name)
        for item in record.history.item:
            key = item.key or ".".join(item.nested_key)
            if key in ("resolved", "steps"):
                figures.append([key, json.loads(item.value_json)])
print(json.dumps({"names": sorted(names), "figures": sorted(figures)}))`;
    const { stdout } = await execa(python, ['-c', script, out], { env: { WANDB_MODE: 'offline' } });
    expect(JSON.parse(stdout)).toEqual({
      names: ['set 1-frog-x-leaf', 'set 2-frog-x-r2egym'],
      figures: [
        ['resolved', 0],
        ['resolved', 1],
        ['steps', 0],
        ['steps', 2],
      ],
    });
  });
});
