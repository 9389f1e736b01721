import { commandVerifier, writeTask, type Task, type TreeFile } from '../../evaluation/index.ts';
import { newId } from '../../lib/index.ts';
import type { VerifyPlan } from './types.ts';

/** Where the repository lies in a workspace of synthesis. */
export const WORKDIR = '/workspace';

/** Variables for the tests: a `src` folder is not found by Python itself. */
export function environmentOf(paths: Iterable<string>): Record<string, string> {
  for (const name of paths) if (/^src\/.*\.py$/.test(name)) return { PYTHONPATH: 'src' };
  return {};
}

export interface ProbeOptions {
  /** Folder that it is written to. */
  into: string;
  tree: ReadonlyMap<string, TreeFile>;
  plan: VerifyPlan;
  /** Files laid over the tree. */
  tests?: Readonly<Record<string, Uint8Array>>;
  /** The verifier tells the lines that run, too. */
  withLines?: boolean;
}

/**
 * A task that expects nothing: its judging tells what each test does. Throws as `writeTask`.
 */
export async function writeProbe(options: ProbeOptions): Promise<Task> {
  const { into, tree, plan, tests = {}, withLines = false } = options;
  return writeTask(into, {
    name: `probe-${newId(6)}`,
    instruction: 'What do the tests do?',
    image: plan.image,
    workdir: WORKDIR,
    tree: tree.values(),
    tests: await commandVerifier({
      workdir: WORKDIR,
      command: plan.command,
      env: environmentOf(tree.keys()),
      files: tests,
      withLines,
    }),
    fix: null,
    expected: { failToPass: [], passToPass: [] },
    verifier: { on: 'patch', timeoutMs: plan.timeoutMs, reader: { kind: 'junit' } },
    agentTimeoutMs: null,
    source: { kind: 'probe' },
  });
}
