import { isTestFile } from '../../fix/index.ts';
import type { TreeFile } from '../../evaluation/index.ts';
import { sha256 } from '../../lib/index.ts';
import type { Candidate, Coverage, Generator, GeneratorContext, WorkOnTree } from '../types.ts';
import { blankedFunctions, STUB, type Blanked } from './functions.ts';
import { fruitful, workedChanges } from './worked-changes.ts';

/**
 * Lets the model write a function again from its signature and docs, one after the other, those that
 * tests run first. It sees no tests: what it gets wrong is the bug. Ends after many in a row that led to
 * nothing.
 */
export function rewriteWith({ work }: { work: WorkOnTree }): Generator {
  return async function* rewrite(context) {
    const functions = await blankedFunctions(context.tree);
    const jobs = inOrder(functions, context).flatMap((one, at) => {
      const before = context.tree.files.get(one.path);
      const origin = `rewrite ${context.seed} ${one.path}:${one.line}`;
      if (before === undefined || context.tried?.has(origin) === true) return [];
      return () => rewritten({ one, before, origin, at }, context, work);
    });
    yield* fruitful(jobs, context.signal);
  };
}

function inOrder(functions: readonly Blanked[], { seed, coverage }: GeneratorContext): Blanked[] {
  return functions
    .map((one) => ({
      one,
      rank: `${isCovered(one, coverage) ? 0 : 1}${sha256(`${seed}\n${one.path}\n${one.symbol}`)}`,
    }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ one }) => one);
}

function isCovered({ path, line, lastLine }: Blanked, coverage: Coverage): boolean {
  const lines = coverage?.get(path) ?? [];
  // The line of the `def` itself runs when the file is loaded.
  return [...lines].some((one) => one > line && one <= lastLine);
}

interface Job {
  one: Blanked;
  before: TreeFile;
  origin: string;
  at: number;
}

async function rewritten(
  { one, before, origin, at }: Job,
  { tree, seed, signal }: GeneratorContext,
  work: WorkOnTree,
): Promise<Candidate> {
  const blanked: TreeFile = { ...before, content: Buffer.from(one.source) };
  const files = new Map([...tree.files].filter(([path]) => !isTestFile(path)));
  files.set(one.path, blanked);
  const instruction = instructionOf(one);
  const { changes, sessionId, steps, ending } = await work({
    ...{ instruction, files, seed: seed + at, signal },
  });
  const left = changes.find(({ path }) => path === one.path)?.after ?? null;
  const isWritten = left !== null && stubsIn(left.content) < stubsIn(blanked.content);
  return {
    generator: 'rewrite',
    method: 'rewrite_function',
    bugClass: 'logic',
    origin,
    changes: isWritten ? workedChanges(tree, changes) : [],
    places: [{ path: one.path, line: one.line, symbol: one.symbol }],
    tests: {},
    provenance: { session: sessionId, steps, ending },
  };
}

/** What the model left alone still stands in for a body. */
function stubsIn(content: Uint8Array): number {
  return Buffer.from(content).toString('utf8').split(STUB).length;
}

function instructionOf({ path, symbol, line }: Blanked): string {
  return `The body of ${symbol} in ${path} (line ${line}) is missing. Write it from its signature, its documentation and the way the rest of the code uses it. Change nothing else.`;
}
