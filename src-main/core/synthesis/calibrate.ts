import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readTaskSet, type Task } from '../../evaluation/index.ts';
import { unwritable, VivariumError } from '../../lib/index.ts';
import {
  calibratedTasks,
  calibrationPage,
  keepCalibration,
  KEEP_DEFAULTS,
  nextProbes,
  PROBE_DEFAULTS,
  type Calibration,
  type ProbedTask,
} from '../../synthesis/index.ts';
import type { Environment } from '../environment.ts';
import { planEntries } from '../evaluation/entries.ts';
import { startRun } from '../evaluation/run.ts';
import { copyKept, emptyOut } from './copy-kept.ts';
import { checkRounds, keepFrontierOf, madeInRounds, type Probed } from './frontier-rounds.ts';
import { probesOnRecord } from './probes-on-record.ts';
import { provenanceOf } from './provenance-of.ts';
import type { CalibrateAsked, CalibrationReport } from './types.ts';

/** Probes tasks and chooses among them; see `Synthesis.calibrate`. */
export async function calibrate(
  environment: Environment,
  asked: CalibrateAsked,
): Promise<CalibrationReport> {
  const settings = settingsOf(asked);
  const out = asked.out === undefined ? null : await emptyOut(asked.out);
  const { rounds } = asked;
  if (rounds !== undefined) await checkRounds(asked.folder, rounds);
  const runs: string[] = [];
  const probe = async () => {
    const found = await probeSet(environment, asked, settings);
    runs.push(...found.runs);
    return found;
  };
  const first = await probe();
  const { found, frontier } =
    rounds === undefined
      ? { found: first, frontier: await keepFrontierOf(first) }
      : await madeInRounds(environment, { asked, rounds }, { first, probe });
  const { tasks, calibration, file, refused } = found;
  if (out !== null) await copyKept(out, tasks, calibration);
  if (asked.page !== undefined) await writePage(asked.page, calibration);
  return { ...calibration, refused, runs, file, frontier, out };
}

interface ProbedSet extends Probed {
  refused: CalibrationReport['refused'];
  runs: string[];
  file: string;
}

/** Probes the tasks that are there now, and keeps what was found of them. */
async function probeSet(
  environment: Environment,
  asked: CalibrateAsked,
  settings: Calibration['settings'],
): Promise<ProbedSet> {
  const { tasks, refused, hash: tasksHash } = await readTaskSet(asked.folder);
  const { model, scaffold } = asked;
  const scaffolds = scaffold === undefined ? [] : [scaffold];
  const [planned] = await planEntries(environment, { models: [model], scaffolds });
  if (planned === undefined) throw new Error('a model makes one entry');
  const { entry } = planned;
  const hashes = new Set(tasks.map(({ hash }) => hash));
  const read = () => probesOnRecord(environment, entry, hashes);
  const { runs, probed } = await probeInRounds(environment, { asked, tasks, settings, read });
  const { modelName, scaffoldName, scaffoldHash } = entry;
  const calibration: Calibration = {
    ...{ model: entry.model, modelName, scaffoldName, scaffoldHash, settings },
    tasks: calibratedTasks(probed, settings),
    at: Date.now(),
  };
  const [first] = tasks;
  if (first === undefined) throw new Error('a task set has a task');
  const beside = path.dirname(first.folder);
  const file = await keepCalibration(beside, calibration).catch((fault: unknown) => {
    throw unwritable(beside, fault);
  });
  return { beside, tasks, tasksHash, refused, runs, calibration, file };
}

async function writePage(file: string, calibration: Calibration): Promise<void> {
  await writeFile(file, calibrationPage(calibration)).catch((fault: unknown) => {
    throw unwritable(file, fault);
  });
}

function settingsOf(asked: CalibrateAsked): Calibration['settings'] {
  const first = asked.probes ?? PROBE_DEFAULTS.first;
  const most = asked.maxProbes ?? Math.max(first, PROBE_DEFAULTS.most);
  if (most < first) {
    throw new VivariumError(
      'usage',
      `${first} probes of each task are more than ${most} at most`,
      'Raise --max-probes or lower --probes.',
    );
  }
  const { band = PROBE_DEFAULTS.band, unsolvedShare = KEEP_DEFAULTS.unsolvedShare } = asked;
  const { classShare = KEEP_DEFAULTS.classShare } = asked;
  return { first, most, band, worth: PROBE_DEFAULTS.worth, unsolvedShare, classShare };
}

interface Probing {
  asked: CalibrateAsked;
  tasks: readonly Task[];
  settings: Calibration['settings'];
  read: () => ReturnType<typeof probesOnRecord>;
}

/**
 * Rounds until no task is worth another probe. What came to no verdict is not tried again before
 * the next call: the fault is the machine's.
 */
async function probeInRounds(
  environment: Environment,
  { asked, tasks, settings, read }: Probing,
): Promise<{ runs: string[]; probed: ProbedTask[] }> {
  const runs: string[] = [];
  const failed = new Set<Task>();
  for (let known = read(); ;) {
    const seedsOf = (task: Task) => known.get(task.hash) ?? new Map<number, boolean>();
    const probed = tasks.map((task) => probedTask(task, seedsOf(task)));
    const next = nextProbes(probed, settings);
    const wanted = tasks.flatMap((task, at) => {
      const seeds = unusedSeeds(seedsOf(task), failed.has(task) ? 0 : (next[at] ?? 0));
      return seeds.length === 0 ? [] : [{ task, seeds }];
    });
    if (wanted.length === 0) return { runs, probed };
    const alike = Map.groupBy(wanted, ({ seeds }) => seeds.join());
    for (const group of alike.values()) {
      const seeds = group[0]?.seeds ?? [];
      const only = group.map(({ task }) => task.name);
      runs.push(await runProbes(environment, asked, { seeds, only }));
    }
    known = read();
    for (const { task, seeds } of wanted) {
      if (!seeds.every((seed) => known.get(task.hash)?.has(seed))) failed.add(task);
    }
  }
}

async function runProbes(
  environment: Environment,
  { folder, model, scaffold, workers, signal, watch }: CalibrateAsked,
  chosen: { seeds: readonly number[]; only: readonly string[] },
): Promise<string> {
  const scaffolds = scaffold === undefined ? [] : [scaffold];
  const name = `calibrate ${path.basename(folder)}`;
  const request = { tasks: folder, models: [model], scaffolds, workers, name, ...chosen };
  const { run } = await startRun(environment, request, { ...watch, ...(signal && { signal }) });
  signal?.throwIfAborted();
  return run.runId;
}

function probedTask(task: Task, seeds: ReadonlyMap<number, boolean>): ProbedTask {
  const { name, hash } = task;
  const bugClass = provenanceOf(task).bug_class ?? null;
  const solved = [...seeds.values()].filter(Boolean).length;
  return { name, hash, bugClass, solved, probes: seeds.size };
}

function unusedSeeds(used: ReadonlyMap<number, unknown>, count: number): number[] {
  const seeds: number[] = [];
  for (let seed = 0; seeds.length < count; seed++) if (!used.has(seed)) seeds.push(seed);
  return seeds;
}
