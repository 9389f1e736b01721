import { checkFlags } from '../../profiles/index.ts';
import type {
  Installation,
  LaunchCommand,
  LaunchInput,
  LibraryModel,
  ModelProfile,
  Readiness,
  ServerEngine,
} from '../../servers/types.ts';
import { hasFlag, parserName } from '../shared/arguments.ts';
import { type ArchitectureSince, commonFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_MODEL, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { probeContainer } from '../shared/container/probe.ts';
import { containerCommand, inContainer } from '../shared/container/run-command.ts';
import { allowedEnvironment, OFFLINE, PYTHON } from '../shared/environment.ts';
import { classifyFailure } from '../shared/failures/classify.ts';
import { vllmFigures } from '../shared/figures.ts';
import { findEngine } from '../shared/find-engine.ts';
import { readMilestone } from '../shared/log-progress.ts';
import { createProbeMemory, programIdentity, type ProbeMemory } from '../shared/probe-memory.ts';
import { askProgram, versionIn, withProfile } from '../shared/probe.ts';
import { pythonOf, shownPlace, versionCommand } from '../shared/python-program.ts';
import { createReacher, type ReachRules } from '../shared/reach.ts';
import {
  isCpuBuild,
  SAME_PARSERS,
  vllmArguments,
  vllmEnvironment,
  vllmProgramEnvironment,
} from './command.ts';
import { BROKEN, VLLM_MILESTONES } from './milestones.ts';

export interface EngineOptions {
  /** Folder in which answers of programs are kept across processes; default: only in this one. */
  probeFolder?: string;
}

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
  const memory = createProbeMemory(options.probeFolder ?? null);
  const reacher = createReacher();
  return {
    id: 'vllm',
    // The address it prints comes from its arguments: port 0 could not be found again.
    choosesPort: false,
    probe: (profile, { env, signal }) => probe(profile, env, signal, memory),
    check,
    command,
    // It ends by itself, but only looks for that every 5 s.
    readLine: (line) =>
      BROKEN.test(line) ? { broken: true } : readMilestone(line, VLLM_MILESTONES),
    reach: (input) => reacher.reach(input, RULES),
    classify: (input) => classifyFailure('vllm', input),
    figures: (input) => reacher.figures(input, vllmFigures),
  };
}

async function probe(
  profile: Parameters<ServerEngine['probe']>[0],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal | undefined,
  memory: ProbeMemory,
): Promise<Installation> {
  const { source } = profile;
  if (source.kind === 'container') {
    return probeContainer({
      engine: 'vllm',
      title: 'vLLM',
      image: source.image,
      words: ['vllm', 'serve'],
      versions: [['vllm', '--version']],
      helps: [
        ['vllm', 'serve', '--help=all'],
        ['vllm', 'serve', '--help'],
      ],
      env,
      signal,
      memory,
    });
  }
  const file = await findEngine(source, SEARCH, env);
  const python = await pythonOf(file);
  const asked = await askProgram(
    {
      engine: 'vllm',
      title: 'vLLM',
      place: shownPlace(file),
      identity: programIdentity(file),
      // Its own --version loads all of PyTorch; the list of packages knows it at once.
      versions: [...(python === null ? [] : [versionCommand(python, 'vllm')]), [file, '--version']],
      helps: [
        [file, 'serve', '--help=all'],
        [file, 'serve', '--help'],
      ],
      readVersion: versionIn,
      env: withProfile({ ...allowedEnvironment(env), ...OFFLINE, ...PYTHON }, profile),
      signal,
    },
    memory,
  );
  const shown = `vllm ${asked.version} in ${shownPlace(file)}`;
  return { engine: 'vllm', command: [file, 'serve'], ...asked, shown };
}

function check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[] {
  const faults = commonFaults(profile, installation, model, {
    format: 'safetensors',
    since: SINCE,
  });
  const call = parserName(profile.callParser, '--tool-call-parser', SAME_PARSERS, installation);
  const parsers = {
    ...(call === null ? {} : { '--tool-call-parser': call }),
    ...(profile.reasoningParser === null ? {} : { '--reasoning-parser': profile.reasoningParser }),
  };
  if (installation.flags !== null) faults.push(...checkFlags(parsers, installation));
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

function command(input: LaunchInput): LaunchCommand {
  const { installation, model, profile } = input;
  if (profile.source.kind === 'container') {
    return containerCommand(input, {
      words: [
        'vllm',
        'serve',
        ...vllmArguments(inContainer(input), CONTAINER_MODEL, { socket: CONTAINER_SOCKET }),
      ],
      env: vllmEnvironment(input, CONTAINER_CACHE),
    });
  }
  return {
    kind: 'program',
    argv: [...installation.command, ...vllmArguments(input, model.entry, { port: input.port })],
    env: vllmProgramEnvironment(input),
    // Python looks for modules where it is started.
    cwd: input.cacheFolder,
    secrets: [input.key],
  };
}
