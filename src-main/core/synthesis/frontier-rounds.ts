import path from 'node:path';
import { readTaskSet, type Task } from '../../evaluation/index.ts';
import { unwritable, VivariumError } from '../../lib/index.ts';
import { findRepository } from '../../patch/index.ts';
import {
  classesOfRound,
  frontierOf,
  keepFrontier,
  kindsAtFrontier,
  readRounds,
  readSynth,
  type Calibration,
  type ClassCounts,
  type Frontier,
  type FrontierRound,
  type GeneratorName,
} from '../../synthesis/index.ts';
import type { Environment } from '../environment.ts';
import { isWithModel } from './choose-generators.ts';
import { provenanceOf } from './provenance-of.ts';
import { synthTasks } from './synth-tasks.ts';
import type { CalibrateAsked, CalibrateRounds } from './types.ts';

/** A set with what its probes said. */
export interface Probed {
  /** Folder of the tasks' folders. */
  beside: string;
  tasks: readonly Task[];
  tasksHash: string;
  calibration: Calibration;
}

/**
 * Whether rounds can be made of a folder's tasks; asked before hours of probes.
 * @throws VivariumError `usage`, `repo_*`
 */
export async function checkRounds(folder: string, { repository }: CalibrateRounds): Promise<void> {
  const [first] = (await readTaskSet(folder)).tasks;
  const { commit } = await synthOf(path.dirname(first?.folder ?? folder));
  const { top, head } = await findRepository(repository);
  if (head === commit) return;
  throw new VivariumError(
    'usage',
    `the tasks were made of commit ${commit.slice(0, 12)}, and ${top} is at ${head.slice(0, 12)}`,
    'Name a working tree at that commit with --repo.',
  );
}

/** Keeps which kinds of bugs lie at the frontier, with the rounds of earlier calls. */
export async function keepFrontierOf(
  { beside, tasks, tasksHash, calibration }: Probed,
  rounds?: readonly FrontierRound[],
): Promise<Frontier> {
  const { model, modelName, scaffoldName, scaffoldHash } = calibration;
  const made = new Map(tasks.map((task) => [task.name, provenanceOf(task)]));
  const methodOf = ({ name }: { name: string }) => {
    const { generator, method } = made.get(name) ?? {};
    return generator === undefined || method === undefined ? null : `${generator} ${method}`;
  };
  const frontier = {
    ...{ model, modelName, scaffoldName, scaffoldHash, tasksHash },
    classes: kindsAtFrontier(calibration.tasks, ({ bugClass }) => bugClass),
    methods: kindsAtFrontier(calibration.tasks, methodOf),
    rounds: [...(rounds ?? (await readRounds(beside, calibration)))],
  };
  await keepFrontier(beside, frontier).catch((fault: unknown) => {
    throw unwritable(beside, fault);
  });
  return frontier;
}

/**
 * Rounds of synthesis for the classes at the frontier, each with its probes, until there are as many as
 * asked for, those of earlier calls counted. One that was stopped is gone on with. Ends early when a
 * round makes nothing.
 */
export async function madeInRounds<Found extends Probed>(
  environment: Environment,
  { asked, rounds: wanted }: { asked: CalibrateAsked; rounds: CalibrateRounds },
  { first, probe }: { first: Found; probe: () => Promise<Found> },
): Promise<{ found: Found; frontier: Frontier }> {
  let found = first;
  let frontier = await keepFrontierOf(found);
  for (;;) {
    const done = frontier.rounds.filter((round) => round.done);
    if (done.length >= wanted.rounds) return { found, frontier };
    const open = frontier.rounds.find((round) => !round.done);
    const round = open ?? (await nextRound(found, frontier, wanted.more));
    await keepFrontierOf(found, [...done, round]);
    const made = await makeRound(environment, asked, { found, round, number: done.length + 1 });
    found = await probe();
    frontier = await keepFrontierOf(found, [...done, { ...round, done: true }]);
    if (made === 0) return { found, frontier };
  }
}

async function nextRound(
  { beside }: Probed,
  { classes, methods }: Frontier,
  more: number,
): Promise<FrontierRound> {
  const { tried } = await synthOf(beside);
  const made = tried.filter(({ task }) => task !== null);
  const had: ClassCounts = Object.fromEntries(
    [...Map.groupBy(made, ({ bugClass }) => bugClass)].map(([one, alike]) => [one, alike.length]),
  );
  const all = new Set(tried.map(({ generator }) => generator));
  const atFrontier = new Set(frontierOf(methods).map(({ kind }) => kind.split(' ', 1)[0]));
  const chosen = [...all].filter((name) => atFrontier.has(name));
  return {
    target: made.length + more,
    classes: classesOfRound(classes, had, more),
    generators: chosen.length > 0 ? chosen : [...all],
    done: false,
  };
}

interface Making {
  found: Probed;
  round: FrontierRound;
  /** From 1 on. */
  number: number;
}

/** How many tasks it made. */
async function makeRound(
  environment: Environment,
  { model, scaffold, signal, rounds, onSynth }: CalibrateAsked,
  { found: { beside, tasks }, round, number }: Making,
): Promise<number> {
  const { command, image, hideTests, reruns, leastComplexity, tried } = await synthOf(beside);
  const { target, classes, generators } = round;
  const asksModel = generators.some(isWithModel) || tasks.some(isStatedByModel);
  onSynth?.({ kind: 'phase', text: phaseOf(round, number) });
  const report = await synthTasks(environment, {
    ...{ repository: rounds?.repository ?? '', out: beside, target, classes, generators },
    ...{ verify: command, image, hideTests, reruns, signal, onProgress: onSynth },
    leastComplexity: leastComplexity ?? undefined,
    // What a model makes again with the same seed is the same again.
    seed: number + 1,
    ...(asksModel && { model, scaffold }),
  });
  return report.validated - tried.filter(({ task }) => task !== null).length;
}

function isStatedByModel(task: Task): boolean {
  return provenanceOf(task).statement_by === 'model';
}

function phaseOf({ target, generators }: FrontierRound, number: number): string {
  const names: GeneratorName[] = [...generators];
  return `round ${number}: ${names.join(', ')} until there are ${target} tasks`;
}

async function synthOf(beside: string) {
  const found = await readSynth(beside);
  if (found !== null) return found;
  throw new VivariumError(
    'usage',
    `${path.basename(beside)} was not made by \`vivarium tasks synth\`: it is not known how to make more`,
    'Leave --iterate out, or name a folder that `vivarium tasks synth` made.',
  );
}
