import { isTestFile } from '../../fix/index.ts';
import type { TreeFile } from '../../evaluation/index.ts';
import { sha256 } from '../../lib/index.ts';
import type { Candidate, Coverage, Generator, GeneratorContext, WorkOnTree } from '../types.ts';
import { blankedFunctions, type Blanked } from './functions.ts';
import { workedChanges } from './worked-changes.ts';

/**
 * Lets the model write a function again from its signature and docs, one after the other, those that
 * tests run first. It sees no tests: what it gets wrong is the bug.
 */
export function rewriteWith({ work }: { work: WorkOnTree }): Generator {
  return async function* rewrite(context) {
    const functions = await blankedFunctions(context.tree);
    for (const [at, one] of inOrder(functions, context).entries()) {
      context.signal.throwIfAborted();
      const candidate = await rewritten(one, at, context, work);
      if (candidate !== null) yield candidate;
    }
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

async function rewritten(
  one: Blanked,
  at: number,
  { tree, seed, signal }: GeneratorContext,
  work: WorkOnTree,
): Promise<Candidate | null> {
  const before = tree.files.get(one.path);
  if (before === undefined) return null;
  const blanked: TreeFile = { ...before, content: Buffer.from(one.source) };
  const files = new Map([...tree.files].filter(([path]) => !isTestFile(path)));
  files.set(one.path, blanked);
  const done = await work({ instruction: instructionOf(one), files, seed: seed + at, signal });
  // A file that it left alone is still without the body.
  const isWritten = done?.changes.some(({ path, after }) => path === one.path && after !== null);
  if (done === null || isWritten !== true) return null;
  const changes = workedChanges(tree, done.changes);
  if (changes.length === 0) return null;
  return {
    generator: 'rewrite',
    method: 'rewrite_function',
    bugClass: 'logic',
    changes,
    places: [{ path: one.path, line: one.line, symbol: one.symbol }],
    tests: {},
    provenance: { session: done.sessionId, steps: done.steps },
  };
}

function instructionOf({ path, symbol, line }: Blanked): string {
  return `The body of ${symbol} in ${path} (line ${line}) is missing. Write it from its signature, its documentation and the way the rest of the code uses it. Change nothing else.`;
}
