import type {
  Installation,
  LibraryModel,
  ModelProfile,
  Readiness,
  ServerEngine,
} from '../../servers/types.ts';
import { hasFlag } from '../shared/arguments.ts';
import { type ArchitectureSince, commonFaults, parserFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_MODEL, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { inContainer } from '../shared/container/run-command.ts';
import { OFFLINE, PYTHON } from '../shared/environment.ts';
import { vllmFigures } from '../shared/figures.ts';
import { readMilestone } from '../shared/log-progress.ts';
import {
  createProgramEngine,
  type EngineOptions,
  type ProgramEngine,
} from '../shared/program-engine.ts';
import { pythonOf, shownPlace, versionCommand } from '../shared/python-program.ts';
import type { ReachRules } from '../shared/reach.ts';
import {
  isCpuBuild,
  SAME_PARSERS,
  vllmArguments,
  vllmEnvironment,
  vllmProgramEnvironment,
} from './command.ts';
import { BROKEN, VLLM_MILESTONES } from './milestones.ts';

const SEARCH = {
  title: 'vLLM',
  programs: ['vllm'],
  next: 'Give its virtual environment or container image in the profile (source: {venv: FOLDER}), or install vLLM; nothing is fetched by Vivarium.',
};

/**
 * Sources: release notes of vLLM 0.8.5 (Qwen3); vllm#39231 and #39993 (text-only checkpoints of
 * Qwen3.5 failed in 0.16 to 0.19).
 */
const SINCE: readonly ArchitectureSince[] = [
  { architecture: /^Qwen3(?:Moe)?ForCausalLM$/, version: '0.8.5', why: 'it does not know it' },
  {
    architecture: /^Qwen3_5ForCausalLM$/,
    version: '0.20.0',
    why: 'it fails on the text-only form of this model',
  },
  {
    architecture: /^Qwen3_5(?:Moe)?ForConditionalGeneration$/,
    version: '0.16.0',
    why: 'it does not know it',
  },
];

const RULES: ReachRules = {
  // vLLM listens only when it is ready; 503 is what it says when its engine is gone.
  unavailable: (): Readiness => ({ state: 'dead', detail: 'its engine has ended' }),
};

/** vLLM from a virtual environment, PATH or a container image; GPU and processor builds. */
export function createVllmEngine(options: EngineOptions = {}): ServerEngine {
  return createProgramEngine(VLLM, options);
}

const HELPS = [
  ['serve', '--help=all'],
  ['serve', '--help'],
];

const VLLM: ProgramEngine = {
  id: 'vllm',
  // The address it prints comes from its arguments: port 0 could not be found again.
  choosesPort: false,
  search: SEARCH,
  image: {
    words: ['vllm', 'serve'],
    versions: [['vllm', '--version']],
    helps: HELPS.map((words) => ['vllm', ...words]),
  },
  program: async (file) => {
    const python = await pythonOf(file);
    return {
      command: [file, 'serve'],
      place: shownPlace(file),
      // Its own --version loads all of PyTorch; the list of packages knows it at once.
      versions: [...(python === null ? [] : [versionCommand(python, 'vllm')]), [file, '--version']],
      helps: HELPS.map((words) => [file, ...words]),
      shown: (version) => `vllm ${version} in ${shownPlace(file)}`,
    };
  },
  probeEnvironment: { ...OFFLINE, ...PYTHON },
  check,
  // It ends by itself, but only looks for that every 5 s.
  readLine: (line) => (BROKEN.test(line) ? { broken: true } : readMilestone(line, VLLM_MILESTONES)),
  rules: RULES,
  readFigures: vllmFigures,
  words: (input) => vllmArguments(input, input.model.entry, { port: input.port }),
  environment: vllmProgramEnvironment,
  inContainer: (input) => ({
    words: [
      ...['vllm', 'serve'],
      ...vllmArguments(inContainer(input), CONTAINER_MODEL, { socket: CONTAINER_SOCKET }),
    ],
    env: vllmEnvironment(input, CONTAINER_CACHE),
  }),
};

function check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[] {
  const faults = commonFaults(profile, installation, model, {
    format: 'safetensors',
    since: SINCE,
  });
  faults.push(...parserFaults(profile, installation, SAME_PARSERS));
  const cpu = isCpuBuild(installation.version);
  if (cpu && profile.device === 'gpu') {
    faults.push(`${installation.shown} is the build for processors; set device to cpu`);
  }
  if (!cpu && profile.device === 'cpu') {
    faults.push(
      `${installation.shown} is the build for GPUs; device cpu needs the one for processors`,
    );
  }
  if (profile.source.kind === 'container' && !hasFlag(installation, '--uds')) {
    faults.push(
      `${installation.shown} cannot listen on a socket file (--uds), which a container without a network needs`,
    );
  }
  return faults;
}
