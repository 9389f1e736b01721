import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkTask, type Judges, type Task, type TaskCheck } from '../../evaluation/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { effectOf } from '../select/effect.ts';
import type { Candidate } from '../types.ts';
import { baselineOf } from './baseline.ts';
import { bugPatch } from './candidate.ts';
import { failingTests } from './evidence.ts';
import { verdictOfBug, type Refused } from './judge-candidate.ts';
import { writeProbe } from './probe.ts';
import type { SynthParts, SynthRequest } from './types.ts';
import { writeSynthTask } from './write-synth-task.ts';

/** What a worker has for its candidates. */
export interface Bench {
  request: SynthRequest;
  parts: SynthParts;
  /** Of the tree without a bug. */
  probe: Task;
  steady: readonly string[];
  /** Each keeps the tree of what it judged last: one for the probe, one for the rest. */
  probeJudges: Judges;
  judges: Judges;
  /** Whether no other bug has this effect. */
  claimEffect(effect: string): boolean;
}

const TWIN = 'the same tests fail as with another bug at the same place';

/** A task that is fit, not yet at its place; or why there is none. */
export type Tried = { task: Task; check: TaskCheck; staging: string; effect: string } | Refused;

/**
 * Judges a candidate, and writes and checks its task in a folder of its own below `out`. The caller
 * moves it to its place, or removes the folder.
 *
 * @throws the signal's reason, and errors that are not the candidate's
 */
export async function tryCandidate(candidate: Candidate, id: string, bench: Bench): Promise<Tried> {
  const { request, parts } = bench;
  if (candidate.changes.length === 0) {
    return { refusal: 'nothing_changed', detail: endingOf(candidate) };
  }
  const staging = await mkdtemp(path.join(request.out, '.trying-'));
  let kept = false;
  try {
    const judged = await judgeBug(candidate, staging, bench);
    if ('refusal' in judged) return judged;
    const { tree, plan, seed, hideTests } = request;
    const { expected, graded } = judged;
    const effect = effectOf(candidate, expected.failToPass);
    if (!bench.claimEffect(effect)) return { refusal: 'duplicate', detail: TWIN };
    const failing = failingTests(expected.failToPass, graded);
    const facts = { candidate, failing, command: plan.command, seed };
    const statement = await parts.writeStatement(facts);
    const task = await writeSynthTask({
      ...{ into: staging, id, candidate, tree, plan, expected, statement, seed, hideTests },
    });
    const check = await checkTask(task, {
      judges: bench.judges,
      treeOf: (one) => parts.treeOf(one),
      reruns: request.reruns,
      seed: request.seed,
      dropFlaky: true,
      strict: true,
      signal: parts.signal,
    });
    if (!check.ok) return { refusal: 'check_failed', detail: check.problems.join('; ') };
    kept = true;
    return { task, check, staging, effect };
  } finally {
    if (!kept) await rm(staging, { recursive: true, force: true });
  }
}

/** How the work on it ended that led to nothing. */
function endingOf({ provenance: { session, ending } }: Candidate): string {
  return session === undefined ? `${ending}` : `session ${session} ended as ${ending}`;
}

type Judged = Exclude<ReturnType<typeof verdictOfBug>, Refused> & {
  graded: Parameters<typeof failingTests>[1];
};

async function judgeBug(
  candidate: Candidate,
  staging: string,
  { request, parts, ...bench }: Bench,
): Promise<Judged | Refused> {
  const own = candidate.base !== undefined || Object.keys(candidate.tests).length > 0;
  const patch = await bugPatch(candidate);
  if (!own) {
    const graded = await bench.probeJudges.patch(bench.probe, patch);
    parts.signal.throwIfAborted();
    const verdict = verdictOfBug(bench.steady, graded);
    return 'refusal' in verdict ? verdict : { ...verdict, graded };
  }
  const tree = (candidate.base ?? request.tree).files;
  const { tests } = candidate;
  const probe = await writeProbe({ into: staging, tree, plan: request.plan, tests });
  const judge = bench.judges.patch;
  const base = await orRefused(
    () => baselineOf(judge, probe, { reruns: 1, seed: request.seed, signal: parts.signal }),
    'base_fails',
    parts.signal,
  );
  if ('refusal' in base) return base;
  const graded = await judge(probe, patch);
  parts.signal.throwIfAborted();
  const verdict = verdictOfBug(base.steady, graded);
  return 'refusal' in verdict ? verdict : { ...verdict, graded };
}

/** An error of ours is the candidate's end; a stop and others are the whole call's. */
async function orRefused<Result>(
  work: () => Promise<Result>,
  refusal: Refused['refusal'],
  signal: AbortSignal,
): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof VivariumError)) throw error;
    return { refusal, detail: messageOf(error) };
  }
}

/** Moves a fit task to its place; as it is there. */
export async function placeTask(
  { task, staging }: Exclude<Tried, Refused>,
  out: string,
): Promise<Task> {
  const folder = path.join(out, task.name);
  await rename(task.folder, folder);
  await rm(staging, { recursive: true, force: true });
  return { ...task, folder };
}
