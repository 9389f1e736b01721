import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Task } from '../../evaluation/index.ts';
import { isTestFile } from '../../fix/index.ts';
import { makeFolder } from '../../lib/index.ts';
import { holdBack } from '../select/hold-back.ts';
import { fullQuota, quotasOf } from '../select/quotas.ts';
import { languageOf } from '../syntax/index.ts';
import type { Candidate, Coverage, GeneratorName } from '../types.ts';
import { baselineOf, coverageOf, type Baseline } from './baseline.ts';
import { writeProbe } from './probe.ts';
import { roundRobin } from './round-robin.ts';
import { readTried } from './synth-file.ts';
import type { SynthParts, SynthReport, SynthRequest } from './types.ts';
import { withinTime } from './time-limit.ts';
import { withTimes } from './timed-judges.ts';
import { startLedger, work, type Ledger } from './workers.ts';

/**
 * Makes tasks of a repository: bugs of the generators are judged by its own tests, and those that
 * steady tests tell become Harbor directories below `out`, each checked in its states. What was tried
 * is kept in `synth.json`; the next call with the same folder goes on from there.
 *
 * @throws VivariumError `task_invalid` when no test passes without a bug, `usage` for a folder of
 *   other tasks; the signal's reason, with what was done until then kept
 */
export async function synthesize(request: SynthRequest, parts: SynthParts): Promise<SynthReport> {
  await makeFolder(request.out);
  const ledger = startLedger(request, await readTried(request));
  if (ledger.validated() >= request.target) return ledger.report();
  await removeLeftovers(request.out);
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-synth-'));
  try {
    let longest = 0;
    const own = withTimes(parts, (seconds) => {
      ledger.testSeconds += seconds;
      longest = Math.max(longest, seconds);
    });
    const first = await lookAtTests(request, own, home);
    ledger.flaky = first.baseline.flaky;
    const { steady, flaky } = first.baseline;
    const coveredFiles = first.coverage?.size ?? null;
    request.onProgress?.({ kind: 'baseline', steady: steady.length, flaky, coveredFiles });
    const context = {
      tree: request.tree,
      coverage: first.coverage,
      seed: request.seed,
      leastComplexity: request.leastComplexity,
      signal: parts.signal,
      tried: new Set(ledger.tried.flatMap(({ origin }) => origin ?? [])),
    };
    const names = Object.keys(parts.generators) as GeneratorName[];
    const made = roundRobin(names.flatMap((name) => parts.generators[name]?.(context) ?? []));
    const source = holdBack(made, fullIn(request, ledger));
    const bench = { request, parts: own, probe: withinTime(first.probe, longest), steady };
    try {
      const workers = Array.from({ length: request.workers }, () => work(bench, source, ledger));
      await settled(workers);
    } finally {
      await source.end();
    }
    return await ledger.keep();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Whether there are enough tasks of a candidate's kind: class, count of files, area. */
function fullIn(
  { target, tree, shares, classes }: SynthRequest,
  { tried }: Ledger,
): (one: Candidate) => boolean {
  const sources = [...tree.files.keys()].filter(
    (file) => languageOf(file) !== null && !isTestFile(file),
  );
  const quotas = quotasOf(target, sources, shares, classes);
  return ({ bugClass, changes, origin }) => {
    if (origin !== undefined) return false;
    const kept = tried.filter(({ task }) => task !== null);
    const files = changes.map((change) => change.path);
    return fullQuota({ bugClass, files }, kept, quotas) !== undefined;
  };
}

/** Waits for all of them, so that none goes on below a folder that is removed. */
async function settled(workers: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Of a call that was killed. */
async function removeLeftovers(out: string): Promise<void> {
  for (const name of await readdir(out)) {
    if (name.startsWith('.trying-')) await rm(path.join(out, name), { recursive: true });
  }
}

interface FirstLook {
  probe: Task;
  baseline: Baseline;
  coverage: Coverage;
}

async function lookAtTests(
  { tree, plan, reruns, seed }: SynthRequest,
  parts: SynthParts,
  home: string,
): Promise<FirstLook> {
  const files = tree.files;
  const probe = await writeProbe({ into: home, tree: files, plan });
  const withLines = await writeProbe({ into: home, tree: files, plan, withLines: true });
  return parts.withJudges(async ({ patch: judge }) => {
    const baseline = await baselineOf(judge, probe, { reruns, seed, signal: parts.signal });
    const coverage = await coverageOf(judge, withLines);
    parts.signal.throwIfAborted();
    return { probe, baseline, coverage };
  });
}
