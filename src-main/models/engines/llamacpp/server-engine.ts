import { ownScript } from '../../../lib/index.ts';
import type {
  Installation,
  LaunchInput,
  LibraryModel,
  LogReading,
  ModelProfile,
  ServerEngine,
} from '../../servers/types.ts';
import { createReacher } from '../shared/reach.ts';
import { childEnvironment } from './child-env.ts';
import { classifyLlamaCpp } from './failures.ts';
import { findInstallation } from './installation.ts';
import type { StartMessage } from './protocol.ts';
import { REACH_RULES, toFigures } from './reach.ts';

/** Script of the server process. */
export const SERVER_ENTRY = ownScript('llama-server');

/** The one override that means something for a GGUF: the window that counts as trained. */
const POSITIONS = 'max_position_embeddings';

const LISTENING = /^vivarium: listening on http:\/\/127\.0\.0\.1:(\d+)$/;
const OWN_LINE = /^vivarium: (?!failed |next: )(.+)$/;
/** Steps of llama.cpp's own log that take long enough to be worth a word. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/load_tensors: loading model tensors/, 'loading the weights'],
  [/llama_context: constructing llama_context/, 'making room for the conversation'],
  [/sched_reserve: reserving/, 'making room for the computation'],
];

/**
 * llama.cpp by node-llama-cpp, in a process of ours that serves it over HTTP. Its start message and
 * its port travel by message; each message is also a line of its log.
 */
export function createLlamaCppEngine(): ServerEngine {
  const reacher = createReacher();
  return {
    id: 'llamacpp',
    choosesPort: true,
    // Async, so that it rejects: whoever asks for other things at the same time waits for them all.
    probe: async (_profile, { signal }) => {
      signal?.throwIfAborted();
      return findInstallation(SERVER_ENTRY);
    },
    check,
    command: (input) => ({
      kind: 'child',
      entry: SERVER_ENTRY,
      env: environmentOf(input),
      start: startMessageOf(input),
      secrets: [input.key],
    }),
    readLine,
    reach: (input) => reacher.reach(input, REACH_RULES),
    classify: classifyLlamaCpp,
    figures: (input) => reacher.figures(input, toFigures),
  };
}

function check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[] {
  const faults: string[] = [];
  if (model.facts.format !== 'gguf') {
    faults.push(`llama.cpp serves GGUF files; ${model.name} is ${model.facts.format}.`);
  }
  if (profile.source.kind !== 'auto') {
    faults.push('llamacpp is built in and has no source; for a program of yours use llama-server.');
  }
  const trained = positionsOf(profile) ?? model.facts.trainedContextTokens;
  if (trained !== null && profile.contextTokens > trained) {
    faults.push(
      `contextTokens is ${profile.contextTokens}, but the model was trained with ${trained}.`,
    );
  }
  for (const name of Object.keys(profile.configOverrides)) {
    if (name !== POSITIONS) faults.push(`configOverrides: ${name} cannot be changed in a GGUF.`);
  }
  for (const flag of Object.keys(profile.flags)) {
    faults.push(`llamacpp has no flag ${flag}; flags are for engines that are programs.`);
  }
  const backends = installation.choices.get('backend') ?? [];
  if (profile.device === 'gpu' && backends.every((backend) => backend === 'cpu')) {
    faults.push('The device is gpu, but this installation has binaries for the cpu only.');
  }
  return faults;
}

function positionsOf(profile: ModelProfile): number | null {
  const value = profile.configOverrides[POSITIONS];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

/** S08: what the engine needs by allow-list, then the devices of the plan, then the user's wish. */
function environmentOf({ env, plan, machine, profile }: LaunchInput): Record<string, string> {
  // By name: numbers mean other devices to the driver's tool than to CUDA.
  const names = plan.gpus.flatMap(
    (index) => machine.gpus.find((gpu) => gpu.index === index)?.uuid ?? [],
  );
  const chosen = plan.device !== 'cpu' && names.length > 0;
  return {
    ...childEnvironment(env),
    ...(chosen ? { CUDA_VISIBLE_DEVICES: names.join(',') } : {}),
    ...profile.environment,
  };
}

function startMessageOf({ profile, model, plan, ...input }: LaunchInput): StartMessage {
  return {
    kind: 'start',
    file: model.entry,
    key: input.key,
    name: input.servedName,
    port: input.port,
    device: plan.device === 'cpu' ? 'cpu' : 'gpu',
    gpuLayers: plan.device === 'split' ? plan.gpuLayers : null,
    contextTokens: plan.contextTokens,
    // The plan promised this window; a smaller one would be found out only by a prompt that is cut.
    mayShrink: false,
    trainedContextTokens: positionsOf(profile),
    threads: profile.threads,
    parallel: plan.sequences,
    chatTemplate: profile.chatTemplate === null ? null : { file: profile.chatTemplate },
    tokensPerTurn: profile.tokensPerTurn,
    prefixCaching: profile.prefixCaching,
  };
}

function readLine(line: string): LogReading {
  const port = LISTENING.exec(line)?.[1];
  if (port !== undefined) return { port: Number(port), progress: 'listening' };
  const own = OWN_LINE.exec(line)?.[1];
  if (own !== undefined) return { progress: own };
  const step = STEPS.find(([pattern]) => pattern.test(line));
  return step === undefined ? {} : { progress: step[1] };
}
