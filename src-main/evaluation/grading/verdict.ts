import { INFRA_REASONS, type Grading, type InfraReason } from '../../contract/index.ts';
import type { Task } from '../tasks/types.ts';
import { expectation } from './expectation.ts';
import { infraSign } from './infra-signs.ts';
import { readReward, type Reward } from './read-reward.ts';
import { readCtrf, readJunit, readPatchEval, readSweBenchPro } from './read-reports.ts';
import { logFactsOf, readSweBench } from './read-swe-bench.ts';
import type { Reading } from './readings.ts';
import { summaryOf } from './summary.ts';
import type { Evidence, StatusMap } from './types.ts';

/** The parts of a task that a verdict depends on. */
export type Judged = Pick<Task, 'name' | 'verifier' | 'expected' | 'metadata'>;

/**
 * The verdict over what a verifier left behind; the same evidence gives the same verdict. `evidence`
 * of the result is empty: `gradedOf` names the blobs.
 * @throws VivariumError `task_invalid` for a log parser that is not known.
 */
export function verdictOf(task: Judged, evidence: Evidence): Grading {
  const base = blank(task, evidence);
  if (!evidence.applied) return withSummary({ ...base, applied: false, reward: 0 });
  if (evidence.timedOut) {
    const limit = `not done after ${Math.round(evidence.seconds)} s`;
    return asInfra(base, 'tests_timed_out', limit);
  }
  const reading = read(task, evidence);
  if (reading.kind === 'nothing') return unread(base, evidence, reading);
  const given = readReward(evidence.files);
  if (reading.kind === 'rewards') {
    const { reward, rewards, full } = reading;
    return withSummary({ ...base, resolved: full, reward, rewards });
  }
  const verdict = { ...base, ...judged(task, reading, given) };
  if (task.verifier.reader.kind === 'swe-bench' && lacksResults(verdict, evidence)) {
    return asInfra(base, 'no_reward', `${evidence.logCutBytes} bytes of the log were cut out`);
  }
  return withSummary(verdict);
}

/** What is missing may have stood where the log was cut. */
function lacksResults({ resolved, failToPass, passToPass }: Grading, evidence: Evidence): boolean {
  if (resolved || evidence.logCutBytes === 0) return false;
  const unmet = [...(failToPass?.unmet ?? []), ...(passToPass?.unmet ?? [])];
  return unmet.length > 0 && unmet.every(({ status }) => status === 'MISSING');
}

/** For a patch that does not apply: a failed one, since that is the model's part. */
export function notAppliedEvidence(): Evidence {
  return {
    ...{ applied: false, exitCode: null, timedOut: false, outOfMemory: false },
    ...{ log: new Uint8Array(), logCutBytes: 0, files: {}, planted: [], restored: [], seconds: 0 },
  };
}

/** For what kept a verifier from being run. */
export function infraGrading(task: Judged, reason: InfraReason, detail: string): Grading {
  return asInfra(blank(task, notAppliedEvidence()), reason, detail);
}

/** For tests that came to no end with the patch, again and again, and come to one without it. */
export function patchedOutGrading(grading: Grading): Grading {
  if (grading.infra === null) return grading;
  const { reason, detail } = grading.infra;
  const why = `${BY_A_PATCH[reason] ?? INFRA_REASONS[reason]} (${detail})`;
  const summary = `Not resolved: with the patch ${why}; without it the tests come to their end.`;
  return { ...grading, state: 'graded', infra: null, resolved: false, reward: 0, summary };
}

/** The same reasons, where it is known that they are not the image's. */
const BY_A_PATCH: Partial<Record<InfraReason, string>> = {
  missing_module: 'a module that the tests import is missing',
  no_reward: 'the tests left no result',
};

/** For an attempt that changed nothing; its tests need not run. */
export function emptyPatchGrading(task: Judged): Grading {
  // Nothing was run: that other tests still pass was neither seen nor broken.
  const base = { ...blank(task, notAppliedEvidence()), reward: 0, passToPass: null };
  return { ...base, summary: 'Not resolved: nothing was changed.' };
}

function blank(task: Judged, evidence: Evidence): Grading {
  const { expected } = task;
  const none: StatusMap = new Map();
  const missing = (names: readonly string[]) => expectation(names, none, () => false);
  const { reader } = task.verifier;
  return {
    state: 'graded',
    infra: null,
    resolved: false,
    reward: null,
    rewards: {},
    applied: true,
    failToPass: expected === null ? null : missing(expected.failToPass),
    passToPass: expected === null ? null : missing(expected.passToPass),
    tests: null,
    exitCode: evidence.exitCode,
    seconds: evidence.seconds,
    readBy: reader.kind === 'swe-bench' ? reader.parser : reader.kind,
    evidence: {},
    summary: '',
  };
}

function read(task: Judged, evidence: Evidence): Reading {
  const { reader } = task.verifier;
  switch (reader.kind) {
    case 'reward': {
      const given = readReward(evidence.files);
      if (given.kind === 'none') return { kind: 'nothing', detail: given.why };
      return { ...given, kind: 'rewards' };
    }
    case 'junit':
      return readJunit(evidence);
    case 'ctrf':
      return readCtrf(evidence);
    case 'swe-bench-pro':
      return readSweBenchPro(evidence);
    case 'patcheval':
      return readPatchEval(evidence);
    case 'swe-bench': {
      const { parser, failOnly } = reader;
      return readSweBench(evidence, { parser, failOnly, facts: logFactsOf(task) });
    }
  }
}

/** The most telling reason first: what the kernel says, then the reader, then the log. */
function unread(
  base: Grading,
  evidence: Evidence,
  reading: Extract<Reading, { kind: 'nothing' }>,
): Grading {
  if (evidence.outOfMemory) return asInfra(base, 'out_of_memory', reading.detail);
  const sign = infraSign(Buffer.from(evidence.log).toString('utf8'));
  if (sign !== undefined) return asInfra(base, sign.reason, `${reading.detail}: ${sign.line}`);
  return asInfra(base, reading.reason ?? 'no_reward', reading.detail);
}

function judged(
  { expected }: Judged,
  reading: Extract<Reading, { kind: 'tests' }>,
  given: Reward,
): Pick<Grading, 'resolved' | 'reward' | 'rewards' | 'failToPass' | 'passToPass' | 'tests'> {
  const { tests, spell = (name: string) => name } = reading;
  const failToPass = expected?.failToPass.map(spell);
  const passToPass = expected?.passToPass.map(spell);
  const fixed =
    failToPass === undefined ? null : expectation(failToPass, tests, reading.failToPass);
  const held = passToPass === undefined ? null : expectation(passToPass, tests, reading.passToPass);
  const resolved =
    fixed === null || held === null
      ? nothingFailed(tests)
      : fixed.met === fixed.expected && held.met === held.expected;
  const reward = given.kind === 'valid' ? given.reward : Number(resolved);
  return {
    resolved,
    reward,
    rewards: given.kind === 'valid' ? given.rewards : {},
    failToPass: fixed,
    passToPass: held,
    tests: counts(tests),
  };
}

/** Without a list of expected tests: all that ran passed, and some did. */
function nothingFailed(tests: StatusMap): boolean {
  const statuses = [...tests.values()];
  const bad = statuses.some((status) => status === 'FAILED' || status === 'ERROR');
  return !bad && statuses.includes('PASSED');
}

function counts(tests: StatusMap): Record<string, number> {
  const found: Record<string, number> = {};
  for (const status of tests.values()) found[status] = (found[status] ?? 0) + 1;
  return found;
}

function asInfra(base: Grading, reason: InfraReason, detail: string): Grading {
  const infra = { reason, detail };
  const summary = `Not graded: ${INFRA_REASONS[reason]} (${detail}).`;
  return { ...base, state: 'infra', infra, resolved: false, reward: null, summary };
}

function withSummary(grading: Grading): Grading {
  return { ...grading, summary: summaryOf(grading) };
}
