import { isTestFile } from '../../fix/index.ts';
import {
  commandVerifier,
  exactGlob,
  judgeGlobs,
  runnerOf,
  writeTask,
  type ExpectedTests,
  type Task,
} from '../../evaluation/index.ts';
import type { Candidate, SourceTree, Statement } from '../types.ts';
import { fixPatch, taskName, withBug } from './candidate.ts';
import { environmentOf, WORKDIR } from './probe.ts';
import type { VerifyPlan } from './types.ts';

/** Of the form of what is written, not of the app. */
const VERSION = 1;

export interface SynthTask {
  /** Folder that it is written to. */
  into: string;
  id: string;
  candidate: Candidate;
  tree: SourceTree;
  plan: VerifyPlan;
  expected: ExpectedTests;
  statement: Statement;
  seed: number;
  hideTests: boolean;
}

/** Writes the task of a bug that tests tell. Throws as `writeTask`. */
export async function writeSynthTask(options: SynthTask): Promise<Task> {
  const { candidate, tree, plan, expected } = options;
  const files = withBug(tree, candidate);
  const laid = { ...(options.hideTests ? hiddenOf(files, expected) : {}), ...candidate.tests };
  if (options.hideTests) for (const name of Object.keys(laid)) files.delete(name);
  const tests = new Set([...files.keys(), ...Object.keys(laid)].filter(isTestFile));
  return writeTask(options.into, {
    name: taskName(tree.repository, candidate, options.id),
    instruction: options.statement.text,
    image: plan.image,
    workdir: WORKDIR,
    tree: files.values(),
    tests: await commandVerifier({
      workdir: WORKDIR,
      command: plan.command,
      env: environmentOf(files.keys()),
      files: laid,
    }),
    fix: await fixPatch(candidate),
    expected,
    verifier: {
      on: 'patch',
      timeoutMs: plan.timeoutMs,
      reader: { kind: 'junit' },
      protect: [...[...tests].toSorted().map(exactGlob), ...judgeGlobs(plan.command, files.keys())],
    },
    agentTimeoutMs: null,
    source: provenanceOf(options),
    keywords: ['synthesis', candidate.generator],
  });
}

/**
 * Test files of the tree that hold a failing test; all of them where a name does not tell its file, as
 * those of Go.
 */
function hiddenOf(
  files: ReturnType<typeof withBug>,
  { failToPass }: ExpectedTests,
): Record<string, Uint8Array> {
  const named = failToPass.map((name) => files.get(name.split('::', 1)[0] ?? ''));
  const hidden = named.includes(undefined) ? [...files.values()] : named;
  return Object.fromEntries(
    hidden.flatMap((file) =>
      file !== undefined && isTestFile(file.path) ? [[file.path, file.content]] : [],
    ),
  );
}

function provenanceOf({
  candidate,
  tree,
  plan,
  seed,
  statement,
  id,
}: SynthTask): Record<string, string | number | boolean> {
  const { repository, commit } = candidate.base ?? tree;
  const symbols = candidate.places.flatMap(({ symbol }) => symbol ?? []);
  return {
    ...candidate.provenance,
    kind: 'synthesis',
    synthesis_version: VERSION,
    generator: candidate.generator,
    method: candidate.method,
    bug_class: candidate.bugClass,
    bug: id,
    files: candidate.changes.map(({ path }) => path).join(', '),
    symbol: [...new Set(symbols)].join(', '),
    repository: nameOf(repository),
    commit,
    seed,
    rerun_order: runnerOf(plan.command)?.shuffles === true ? 'random' : 'same',
    statement_by: statement.by,
  };
}

/** The folder's name alone: where it lies on this machine is nobody's business. */
function nameOf(repository: string): string {
  return repository.split('/').findLast((part) => part !== '') ?? 'repository';
}
