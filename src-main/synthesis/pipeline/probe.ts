import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandVerifier, writeTask, type Task, type TreeFile } from '../../evaluation/index.ts';
import { appFolder, newId } from '../../lib/index.ts';
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

/** File of the verifier that holds the lines. */
export const LINES_FILE = 'lines.json';

/**
 * A task that expects nothing: its judging tells what each test does. Throws as `writeTask`.
 */
export async function writeProbe(options: ProbeOptions): Promise<Task> {
  const { into, tree, plan, tests = {}, withLines = false } = options;
  const env = environmentOf(tree.keys());
  const lines = withLines ? lineVariables(env) : {};
  const plugin = path.join(appFolder(), 'resources', 'verifier', 'line_coverage.py');
  return writeTask(into, {
    name: `probe-${newId(6)}`,
    instruction: 'What do the tests do?',
    image: plan.image,
    workdir: WORKDIR,
    tree: tree.values(),
    tests: {
      ...(await commandVerifier({
        workdir: WORKDIR,
        command: plan.command,
        env: { ...env, ...lines },
        files: tests,
      })),
      ...(withLines && { 'line_coverage.py': await readFile(plugin) }),
    },
    fix: null,
    expected: { failToPass: [], passToPass: [] },
    verifier: { on: 'patch', timeoutMs: plan.timeoutMs, reader: { kind: 'junit' } },
    agentTimeoutMs: null,
    source: { kind: 'probe' },
  });
}

function lineVariables({ PYTHONPATH: own }: Record<string, string>): Record<string, string> {
  return {
    PYTHONPATH: own === undefined ? '/tests' : `/tests:${own}`,
    PYTEST_PLUGINS: 'line_coverage',
    LINE_COVERAGE: `/logs/verifier/${LINES_FILE}`,
  };
}
