import { taskTree, withJudge, type Task } from '../../evaluation/index.ts';
import { readFiles } from '../../patch/index.ts';
import {
  DEFAULT_SHARES,
  synthesize,
  writeStatement,
  type SourceTree,
  type SynthParts,
  type SynthReport,
} from '../../synthesis/index.ts';
import { chooseImage } from '../choose-image.ts';
import type { Environment } from '../environment.ts';
import { judgeParts } from '../evaluation/judge-parts.ts';
import { checkGenerators, generatorsOf } from './choose-generators.ts';
import { openSynthModel, type SynthModel } from './synth-model.ts';
import { testCommand } from './test-command.ts';
import type { SynthAsked } from './types.ts';

const TIMEOUT_MS = 600_000;
const DEFAULTS = { seed: 1, workers: 2, reruns: 3 };

/** Makes tasks of a repository; see `Synthesis.tasks`. */
export async function synthTasks(
  environment: Environment,
  asked: SynthAsked,
): Promise<SynthReport> {
  const { out, target } = asked;
  const signal = asked.signal ?? new AbortController().signal;
  checkGenerators(asked);
  const tree = await headOf(asked.repository, signal);
  const command = testCommand(asked.verify, tree.files);
  const image = await chooseImage(await environment.engine(), tree.repository, asked.image);
  const { seed = DEFAULTS.seed, workers = DEFAULTS.workers, reruns = DEFAULTS.reruns } = asked;
  const plan = { command, image, timeoutMs: TIMEOUT_MS };
  const hideTests = asked.hideTests ?? false;
  const { onProgress, classes, leastComplexity } = asked;
  const shares = { ...DEFAULT_SHARES, ...asked.shares };
  const request = {
    ...{ tree, out, plan, target, seed, workers, reruns, hideTests, onProgress },
    ...{ shares, classes, leastComplexity },
  };
  const { repository } = tree;
  const model = await openModelOf(environment, asked, { repository, image, signal, workers });
  try {
    return await synthesize(request, await partsOf(environment, { asked, model, signal }));
  } finally {
    await model?.close();
  }
}

interface ModelPlace {
  repository: string;
  image: string;
  signal: AbortSignal;
  workers: number;
}

async function openModelOf(
  environment: Environment,
  { model, scaffold, onProgress }: SynthAsked,
  { workers: parallel, ...place }: ModelPlace,
): Promise<SynthModel | null> {
  if (model === undefined) return null;
  const phase = (text: string) => onProgress?.({ kind: 'phase', text });
  return openSynthModel(environment, { ...{ model, scaffold, parallel, phase }, ...place });
}

async function partsOf(
  environment: Environment,
  { asked, model, signal }: { asked: SynthAsked; model: SynthModel | null; signal: AbortSignal },
): Promise<SynthParts> {
  const parts = await judgeParts(environment, signal);
  return {
    generators: generatorsOf(asked.generators, model),
    withJudges: (use) => withJudge(parts, use),
    treeOf: async function* (task: Task) {
      yield* taskTree(task, await parts.imageOf(task), parts.readImage);
    },
    writeStatement: (facts) => writeStatement(facts, model?.ask ?? null),
    signal,
  };
}

/** The files of HEAD; what is not committed is not read. */
async function headOf(repository: string, signal: AbortSignal): Promise<SourceTree> {
  const { top, commit, files } = await readFiles(repository, 'HEAD', signal);
  const named = files.map(({ path, mode, content }) => [path, { path, mode, content }] as const);
  return { repository: top, commit, files: new Map(named) };
}
