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
import { fruitful, workedChanges } from './worked-changes.ts';

const MAX_SOURCE = 6_000;
const MAX_PATHS = 100;
const MAX_FEATURE = 2_000;

/**
 * Lets the model propose a small feature for a file, one file after the other, and build it: what the
 * feature breaks of what the tests check is the bug. Files of tests that it changed stay as they were.
 * Ends after many in a row that led to nothing.
 */
export function featAddWith({ work, ask }: Model): Generator {
  return (context) => {
    const jobs = sourcesOf(context).flatMap((file, at) => {
      const origin = `featadd ${context.seed} ${file.path}`;
      if (context.tried?.has(origin) === true) return [];
      return () => withFeature({ file, origin, at }, context, { work, ask });
    });
    return fruitful(jobs, context.signal);
  };
}

interface Model {
  work: WorkOnTree;
  ask: AskModel;
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
  { file, origin, at }: { file: TreeFile; origin: string; at: number },
  { tree, seed, signal }: GeneratorContext,
  { work, ask }: Model,
): Promise<Candidate> {
  const user = promptOf(file, [...tree.files.keys()]);
  const answer = await ask({ system: SYSTEM, user, seed: seed + at });
  const feature = answer
    .replace(/^[\s\S]*<\/think>/, '')
    .trim()
    .slice(0, MAX_FEATURE);
  const made = {
    generator: 'featadd' as const,
    method: 'add_feature',
    bugClass: 'interface' as const,
    ...{ origin, tests: {} },
  };
  if (feature === '') {
    return { ...made, changes: [], places: [], provenance: { ending: 'no_proposal' } };
  }
  const instruction = `Add this feature to the project:\n\n${feature}`;
  const done = await work({ instruction, files: tree.files, seed: seed + at, signal });
  const changes = workedChanges(tree, done.changes);
  const { sessionId: session, steps, ending } = done;
  return {
    ...made,
    changes,
    places: changes.flatMap(placeOf),
    provenance: { session, steps, ending, feature: feature.slice(0, 300) },
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
