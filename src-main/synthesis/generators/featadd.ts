import { isTestFile } from '../../fix/index.ts';
import type { TreeFile } from '../../evaluation/index.ts';
import { sha256 } from '../../lib/index.ts';
import { firstDifference, linesOf } from '../first-difference.ts';
import { languageOf } from '../syntax/index.ts';
import type {
  AskModel,
  BugPlace,
  Candidate,
  FileChange,
  Generator,
  GeneratorContext,
  WorkOnTree,
} from '../types.ts';
import { workedChanges } from './worked-changes.ts';

/** Work in a row that led to nothing, before it is given up. */
const MOST_IN_VAIN = 5;
const MAX_SOURCE = 6_000;
const MAX_PATHS = 100;
const MAX_FEATURE = 2_000;

/**
 * Lets the model propose a small feature for a file, one file after the other, and build it: what the
 * feature breaks of what the tests check is the bug. Files of tests that it changed stay as they were.
 */
export function featAddWith({ work, ask }: { work: WorkOnTree; ask: AskModel }): Generator {
  return async function* featadd(context) {
    const files = sourcesOf(context);
    let inVain = 0;
    for (const [at, file] of files.entries()) {
      context.signal.throwIfAborted();
      const candidate = await withFeature(file, at, context, { work, ask });
      inVain = candidate === null ? inVain + 1 : 0;
      if (candidate !== null) yield candidate;
      if (inVain >= MOST_IN_VAIN) return;
    }
  };
}

function sourcesOf({ tree, seed }: GeneratorContext): TreeFile[] {
  const rank = ({ path }: TreeFile) => sha256(`${seed}\n${path}`);
  return [...tree.files.values()]
    .filter(({ path, mode, content }) => {
      const isCode = languageOf(path) !== null && !isTestFile(path);
      return isCode && mode !== '120000' && content.length > 0;
    })
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

async function withFeature(
  file: TreeFile,
  at: number,
  { tree, seed, signal }: GeneratorContext,
  { work, ask }: { work: WorkOnTree; ask: AskModel },
): Promise<Candidate | null> {
  const user = promptOf(file, [...tree.files.keys()]);
  const answer = await ask({ system: SYSTEM, user, seed: seed + at });
  const feature = answer
    .replace(/^[\s\S]*<\/think>/, '')
    .trim()
    .slice(0, MAX_FEATURE);
  if (feature === '') return null;
  const instruction = `Add this feature to the project:\n\n${feature}`;
  const done = await work({ instruction, files: tree.files, seed: seed + at, signal });
  const changes = done === null ? [] : workedChanges(tree, done.changes);
  if (done === null || changes.length === 0) return null;
  return {
    generator: 'featadd',
    method: 'add_feature',
    bugClass: 'interface',
    changes,
    places: changes.flatMap(placeOf),
    tests: {},
    provenance: { session: done.sessionId, steps: done.steps, feature: feature.slice(0, 300) },
  };
}

const SYSTEM = `You maintain a software project. Propose one small feature that fits the file you are shown and touches how its present functions work together: an option, another kind of input, a limit, a cache. Say in two to five sentences what it does. No code.`;

function promptOf({ path, content }: TreeFile, paths: readonly string[]): string {
  const source = new TextDecoder().decode(content).slice(0, MAX_SOURCE);
  return `Files of the project:\n${paths.slice(0, MAX_PATHS).join('\n')}\n\n${path}:\n\n${source}`;
}

/** The first line that is another; a new file is no place in the good tree. */
function placeOf({ path, before, after }: FileChange): BugPlace[] {
  if (before === null) return [];
  const at = firstDifference(before, after);
  return [{ path, line: (at < 0 ? linesOf(before).length : at) + 1, symbol: null }];
}
