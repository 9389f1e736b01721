import { rm } from 'node:fs/promises';
import { keepCheck } from '../../evaluation/index.ts';
import type { Candidate } from '../types.ts';
import { idOf } from './candidate.ts';
import { reportOf } from './report.ts';
import type { roundRobin } from './round-robin.ts';
import { keepTried } from './synth-file.ts';
import { placeTask, tryCandidate, type Bench, type Tried } from './try-candidate.ts';
import type { SynthReport, SynthRequest, TriedCandidate } from './types.ts';

/** What a call has tried and made until now, its workers' common book. */
export interface Ledger {
  flaky: readonly string[];
  /** Sum of the times that tests ran. */
  testSeconds: number;
  tried: TriedCandidate[];
  validated(): number;
  /** `false` when another worker, or an earlier call, has it. */
  claim(id: string): boolean;
  /** `false` when another bug has it. One whose task fails its check keeps it: others would fail too. */
  claimEffect(effect: string): boolean;
  /** Work that one worker does at a time: files beside the tasks are written whole. */
  alone<Result>(use: () => Promise<Result>): Promise<Result>;
  report(): SynthReport;
  /** Writes `synth.json`. */
  keep(): Promise<SynthReport>;
}

/** A book that goes on from what earlier calls tried. */
export function startLedger(request: SynthRequest, before: readonly TriedCandidate[]): Ledger {
  const started = performance.now();
  const claimed = new Set(before.map(({ id }) => id));
  const effects = new Set(before.map(({ effect }) => effect));
  const tried = [...before];
  let queue: Promise<unknown> = Promise.resolve();
  const validated = () => tried.filter(({ task }) => task !== null).length;
  const earlier = validated();
  const ledger: Ledger = {
    flaky: [],
    testSeconds: 0,
    tried,
    validated,
    claim: (id) => isNew(id, claimed),
    claimEffect: (effect) => isNew(effect, effects),
    alone: (use) => {
      const done = queue.then(use);
      queue = done.catch(() => undefined);
      return done;
    },
    report: () => {
      const { target, workers } = request;
      const seconds = (performance.now() - started) / 1000;
      const { flaky, testSeconds } = ledger;
      const spent = { seconds, testSeconds, workers, made: validated() - earlier };
      return reportOf(tried, { target, flaky }, spent);
    },
    keep: async () => {
      const report = ledger.report();
      await keepTried(request, tried, report);
      return report;
    },
  };
  return ledger;
}

function isNew<Item>(item: Item, known: Set<Item>): boolean {
  if (known.has(item)) return false;
  known.add(item);
  return true;
}

/** One worker: takes candidates until the target is reached or there are no more. */
export function work(
  bench: Omit<Bench, 'judges' | 'probeJudges' | 'claimEffect'>,
  source: ReturnType<typeof roundRobin>,
  ledger: Ledger,
): Promise<void> {
  const { request, parts } = bench;
  return parts.withJudges((probeJudges) =>
    parts.withJudges(async (judges) => {
      while (ledger.validated() < request.target) {
        parts.signal.throwIfAborted();
        const candidate = await source.next();
        if (candidate === undefined) return;
        const id = idOf(candidate);
        if (!ledger.claim(id)) continue;
        const result = await tryCandidate(candidate, id, {
          ...{ ...bench, probeJudges, judges, claimEffect: ledger.claimEffect },
        });
        await ledger.alone(() => enter(candidate, id, result, { request, ledger }));
      }
    }),
  );
}

async function enter(
  candidate: Candidate,
  id: string,
  result: Tried,
  { request, ledger }: { request: SynthRequest; ledger: Ledger },
): Promise<void> {
  if (!('refusal' in result) && ledger.validated() >= request.target) {
    // Another worker was first; the next call may have it.
    await rm(result.staging, { recursive: true, force: true });
    return;
  }
  const { generator, method, bugClass, origin = null, changes } = candidate;
  const files = changes.map(({ path }) => path);
  const facts = { id, generator, method, bugClass, origin, files };
  const tried: TriedCandidate =
    'refusal' in result
      ? { ...facts, effect: null, task: null, refusal: result.refusal, detail: result.detail }
      : { ...facts, effect: result.effect, task: result.task.name, refusal: null, detail: '' };
  if (!('refusal' in result)) {
    const task = await placeTask(result, request.out);
    await keepCheck(task, result.check);
  }
  ledger.tried.push(tried);
  await ledger.keep();
  const { target, onProgress } = request;
  onProgress?.({ kind: 'tried', tried, validated: ledger.validated(), target });
}
