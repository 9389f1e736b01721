import type { TestStatus } from '../../contract/index.ts';
import {
  evidenceOf,
  inOrder,
  LINES_FILE,
  statusesOf,
  type Judge,
  type Task,
} from '../../evaluation/index.ts';
import type { Coverage } from '../types.ts';
import { nothingPasses } from './why-nothing-passes.ts';

/** What the tests do on a tree without a bug. */
export interface Baseline {
  /** Passed every time. */
  steady: readonly string[];
  /** Did not do the same every time. */
  flaky: readonly string[];
}

/**
 * Runs the tests of a probe several times, from the second on in another order.
 *
 * @throws VivariumError `task_invalid` when no test passes every time; the signal's reason
 */
export async function baselineOf(
  judge: Judge,
  probe: Task,
  { reruns, seed, signal }: { reruns: number; seed: number; signal: AbortSignal },
): Promise<Baseline> {
  const runs: ReadonlyMap<string, TestStatus>[] = [];
  for (let at = 0; at < reruns; at += 1) {
    signal.throwIfAborted();
    const graded = await judge(inOrder(probe, at === 0 ? null : seed + at), new Uint8Array());
    const statuses = statusesOf(graded);
    if (statuses !== undefined) runs.push(statuses);
    if (statuses === undefined || sortSteady(runs).steady.length === 0) throw nothingPasses(graded);
  }
  return sortSteady(runs);
}

/** Names by what they did in all runs; a test that left no result in one of them is flaky. */
export function sortSteady(runs: readonly ReadonlyMap<string, TestStatus>[]): Baseline {
  const names = new Set(runs.flatMap((run) => [...run.keys()]));
  const statuses = (name: string) => new Set(runs.map((run) => run.get(name) ?? 'MISSING'));
  const steady: string[] = [];
  const flaky: string[] = [];
  for (const name of [...names].toSorted()) {
    const found = statuses(name);
    if (found.size > 1) flaky.push(name);
    else if (found.has('PASSED')) steady.push(name);
  }
  return { steady, flaky };
}

/** Lines that the tests of a probe with lines run; `null` where it left none that can be read. */
export async function coverageOf(judge: Judge, probe: Task): Promise<Coverage> {
  const bytes = evidenceOf(await judge(probe, new Uint8Array()), `verifier/${LINES_FILE}`);
  if (bytes === undefined) return null;
  return readLines(Buffer.from(bytes).toString('utf8'));
}

/** `{"path": [line, ...]}`; `null` for anything else. */
export function readLines(text: string): Coverage {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const lines = new Map<string, ReadonlySet<number>>();
  for (const [name, numbers] of Object.entries(found)) {
    if (!Array.isArray(numbers)) return null;
    lines.set(name, new Set(numbers.filter((line) => Number.isInteger(line)).map(Number)));
  }
  return lines;
}
