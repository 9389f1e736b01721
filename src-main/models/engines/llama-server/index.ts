import { z } from 'zod';
import type {
  Installation,
  LaunchCommand,
  LaunchInput,
  LibraryModel,
  ModelProfile,
  Readiness,
  ServerEngine,
} from '../../servers/types.ts';
import type { Probe } from '../endpoint/http.ts';
import { commonFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { probeContainer } from '../shared/container/probe.ts';
import { containerCommand, inContainer } from '../shared/container/run-command.ts';
import { allowedEnvironment } from '../shared/environment.ts';
import { classifyFailure } from '../shared/failures/classify.ts';
import { llamaServerFigures } from '../shared/figures.ts';
import { findEngine } from '../shared/find-engine.ts';
import { createProbeMemory, programIdentity, type ProbeMemory } from '../shared/probe-memory.ts';
import { askProgram, withProfile } from '../shared/probe.ts';
import { createReacher, type ReachRules } from '../shared/reach.ts';
import {
  llamaServerArguments,
  llamaServerEnvironment,
  llamaServerProgramEnvironment,
  modelInContainer,
} from './command.ts';
import { readLlamaServerLine } from './milestones.ts';

const SEARCH = {
  title: 'llama-server',
  programs: ['llama-server'],
  next: 'Give its path in the profile (source: {program: FILE}), or set engine to llamacpp, which comes with Vivarium.',
};

const propsSchema = z.looseObject({
  total_slots: z.number().optional(),
  build_info: z.string().optional(),
  chat_template: z.string().optional(),
});

const RULES: ReachRules = {
  unavailable: (body): Readiness =>
    JSON.stringify(body ?? '').includes('Loading model')
      ? { state: 'loading', detail: 'loading the model' }
      : { state: 'loading', detail: 'it is not ready yet' },
  details: readDetails,
};

async function readDetails(probe: Probe, root: string): Promise<Record<string, string | number>> {
  const props = propsSchema.safeParse((await probe.get(`${root}/props`)).body).data;
  if (props === undefined) return {};
  return {
    ...(props.total_slots === undefined ? {} : { slots: props.total_slots }),
    ...(props.build_info === undefined ? {} : { build: props.build_info }),
    ...(props.chat_template === undefined
      ? {}
      : { chatTemplateLength: props.chat_template.length }),
  };
}

/** The user's own llama-server, or one in a container image. */
export function createLlamaServerEngine(options: { probeFolder?: string } = {}): ServerEngine {
  const memory = createProbeMemory(options.probeFolder ?? null);
  const reacher = createReacher();
  return {
    id: 'llama-server',
    choosesPort: true,
    probe: (profile, { env, signal }) => probe(profile, env, signal, memory),
    check,
    command,
    readLine: readLlamaServerLine,
    reach: (input) => reacher.reach(input, RULES),
    classify: (input) => classifyFailure('llama-server', input),
    figures: (input) => reacher.figures(input, llamaServerFigures),
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
      engine: 'llama-server',
      title: 'llama-server',
      image: source.image,
      words: [IMAGE_PROGRAM],
      versions: [[IMAGE_PROGRAM, '--version']],
      helps: [[IMAGE_PROGRAM, '--help']],
      readVersion: buildOf,
      env,
      signal,
      memory,
    });
  }
  const file = await findEngine(source, SEARCH, env);
  const asked = await askProgram(
    {
      engine: 'llama-server',
      title: 'llama-server',
      place: file,
      identity: programIdentity(file),
      versions: [[file, '--version']],
      helps: [[file, '--help']],
      readVersion: buildOf,
      env: withProfile(allowedEnvironment(env), profile),
      signal,
    },
    memory,
  );
  return {
    engine: 'llama-server',
    command: [file],
    ...asked,
    shown: `llama-server ${asked.version} at ${file}`,
  };
}

/** Where the images of llama.cpp have it. */
const IMAGE_PROGRAM = '/app/llama-server';

/** `version: 0.4.0-dev (build 1, commit 80fb11a)`; before 2026 `version: 6123 (ad5975de)`. */
export function buildOf(text: string): string | null {
  const [, version, build] = /version:\s*(\S+)(?:\s*\(build (\d+))?/.exec(text) ?? [];
  if (version === undefined) return null;
  return build === undefined ? version : `${version} (b${build})`;
}

/** Members of `config.json` that llama.cpp does not need: its window has no such limit. */
const NOT_NEEDED = new Set(['max_position_embeddings']);

function check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[] {
  const faults = commonFaults(profile, installation, model, { format: 'gguf', since: [] });
  const others = Object.keys(profile.configOverrides).filter((name) => !NOT_NEEDED.has(name));
  if (others.length > 0) {
    faults.push(
      `llama-server reads no config.json: configOverrides (${others.join(', ')}) have no effect; use the flag --override-kv`,
    );
  }
  return faults;
}

function command(input: LaunchInput): LaunchCommand {
  const { installation, model, profile } = input;
  if (profile.source.kind === 'container') {
    const inside = inContainer(input);
    return containerCommand(input, {
      words: [
        IMAGE_PROGRAM,
        ...llamaServerArguments(inside, modelInContainer(input), CONTAINER_SOCKET),
      ],
      env: llamaServerEnvironment(input, CONTAINER_CACHE),
    });
  }
  return {
    kind: 'program',
    argv: [...installation.command, ...llamaServerArguments(input, model.entry, '127.0.0.1')],
    env: llamaServerProgramEnvironment(input),
    cwd: input.cacheFolder,
    secrets: [input.key],
  };
}
