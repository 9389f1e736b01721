import { taskTree, withJudge, type Task } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { readFiles } from '../../patch/index.ts';
import {
  history,
  mutate,
  synthesize,
  writeStatement,
  type Generator,
  type GeneratorName,
  type SourceTree,
  type SynthParts,
  type SynthReport,
} from '../../synthesis/index.ts';
import { chooseImage } from '../choose-image.ts';
import type { Environment } from '../environment.ts';
import { judgeParts } from '../evaluation/judge-parts.ts';
import { testCommand } from './test-command.ts';
import type { SynthAsked } from './types.ts';

const TIMEOUT_MS = 600_000;
const DEFAULTS = { seed: 1, workers: 2, reruns: 3 };

/** Generators that need no model. */
const KNOWN = { mutate, history } as const satisfies Partial<Record<GeneratorName, Generator>>;

/** Makes tasks of a repository; see `Synthesis.tasks`. */
export async function synthTasks(
  environment: Environment,
  asked: SynthAsked,
): Promise<SynthReport> {
  const { out, target } = asked;
  const signal = asked.signal ?? new AbortController().signal;
  const generators = chosen(asked.generators);
  const tree = await headOf(asked.repository, signal);
  const command = testCommand(asked.verify, tree.files);
  const image = await chooseImage(await environment.engine(), tree.repository, asked.image);
  const { seed = DEFAULTS.seed, workers = DEFAULTS.workers, reruns = DEFAULTS.reruns } = asked;
  const plan = { command, image, timeoutMs: TIMEOUT_MS };
  const hideTests = asked.hideTests ?? false;
  const { onProgress } = asked;
  const request = { tree, out, plan, target, seed, workers, reruns, hideTests, onProgress };
  return synthesize(request, await partsOf(environment, generators, signal));
}

async function partsOf(
  environment: Environment,
  generators: SynthParts['generators'],
  signal: AbortSignal,
): Promise<SynthParts> {
  const parts = await judgeParts(environment, signal);
  return {
    generators,
    withJudges: (use) => withJudge(parts, use),
    treeOf: async function* (task: Task) {
      yield* taskTree(task, await parts.imageOf(task), parts.readImage);
    },
    writeStatement: (facts) => writeStatement(facts, null),
    signal,
  };
}

/** The files of HEAD; what is not committed is not read. */
async function headOf(repository: string, signal: AbortSignal): Promise<SourceTree> {
  const { top, commit, files } = await readFiles(repository, 'HEAD', signal);
  const named = files.map(({ path, mode, content }) => [path, { path, mode, content }] as const);
  return { repository: top, commit, files: new Map(named) };
}

function chosen(names: readonly GeneratorName[]): SynthParts['generators'] {
  const found: Partial<Record<GeneratorName, Generator>> = {};
  for (const name of names) {
    if (name !== 'mutate' && name !== 'history') {
      throw new VivariumError(
        'usage',
        `the generator ${name} is not available`,
        'Name mutate or history with --generators.',
      );
    }
    found[name] = KNOWN[name];
  }
  return found;
}
