import { z } from 'zod';
import type {
  Installation,
  LibraryModel,
  ModelProfile,
  Readiness,
  ServerEngine,
} from '../../servers/types.ts';
import type { Probe } from '../endpoint/http.ts';
import { commonFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { inContainer } from '../shared/container/run-command.ts';
import { llamaServerFigures } from '../shared/figures.ts';
import {
  createProgramEngine,
  type EngineOptions,
  type ProgramEngine,
} from '../shared/program-engine.ts';
import type { ReachRules } from '../shared/reach.ts';
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
export function createLlamaServerEngine(options: EngineOptions = {}): ServerEngine {
  return createProgramEngine(LLAMA_SERVER, options);
}

/** Where the images of llama.cpp have it. */
const IMAGE_PROGRAM = '/app/llama-server';

const LLAMA_SERVER: ProgramEngine = {
  id: 'llama-server',
  choosesPort: true,
  search: SEARCH,
  image: {
    words: [IMAGE_PROGRAM],
    versions: [[IMAGE_PROGRAM, '--version']],
    helps: [[IMAGE_PROGRAM, '--help']],
  },
  program: (file) => ({
    command: [file],
    place: file,
    versions: [[file, '--version']],
    helps: [[file, '--help']],
    shown: (version) => `llama-server ${version} at ${file}`,
  }),
  readVersion: buildOf,
  probeEnvironment: {},
  check,
  readLine: readLlamaServerLine,
  rules: RULES,
  readFigures: llamaServerFigures,
  words: (input) => llamaServerArguments(input, input.model.entry, '127.0.0.1'),
  environment: llamaServerProgramEnvironment,
  inContainer: (input) => ({
    words: [
      IMAGE_PROGRAM,
      ...llamaServerArguments(inContainer(input), modelInContainer(input), CONTAINER_SOCKET),
    ],
    env: llamaServerEnvironment(input, CONTAINER_CACHE),
  }),
};

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
