import type {
  Installation,
  LaunchCommand,
  LaunchInput,
  ServerEngine,
  ServerFigures,
} from '../../servers/types.ts';
import { type ContainerQuestions, probeContainer } from './container/probe.ts';
import { containerCommand, type ContainerWork } from './container/run-command.ts';
import { allowedEnvironment } from './environment.ts';
import { classifyFailure } from './failures/classify.ts';
import { type EngineSearch, findEngine } from './find-engine.ts';
import { createProbeMemory, programIdentity, type ProbeMemory } from './probe-memory.ts';
import { askProgram, type Questions, versionIn, withProfile } from './probe.ts';
import { createReacher, type ReachRules } from './reach.ts';

export interface EngineOptions {
  /** Folder in which answers of programs are kept across processes; default: only in this one. */
  probeFolder?: string;
}

/** How the found program of an engine is asked and started. */
export interface FoundProgram extends Pick<Questions, 'versions' | 'helps'> {
  /** Words before the engine's own arguments. */
  command: string[];
  /** Where it is, for people; `shown` with the version. */
  place: string;
  shown: (version: string) => string;
  /** Says better than the general words why it could not be asked. */
  explain?: (error: unknown) => unknown;
}

/** What tells one engine that is a program, or in a container image, from the others. */
export interface ProgramEngine extends Pick<
  ServerEngine,
  'id' | 'choosesPort' | 'check' | 'readLine'
> {
  search: EngineSearch;
  image: Pick<ContainerQuestions, 'words' | 'versions' | 'helps'>;
  program: (file: string) => FoundProgram | Promise<FoundProgram>;
  /** Default: the first number that looks like a version. */
  readVersion?: (text: string) => string | null;
  /** What the program is asked with, besides what the system gives. */
  probeEnvironment: Readonly<Record<string, string>>;
  rules: ReachRules;
  readFigures: (text: string) => ServerFigures;
  /** The engine's own arguments, and the whole environment, on the machine itself. */
  words: (input: LaunchInput) => string[];
  environment: (input: LaunchInput) => Record<string, string>;
  inContainer: (input: LaunchInput) => ContainerWork;
}

/** An adapter of a program or a container image; what is alike of all of them. */
export function createProgramEngine(kind: ProgramEngine, options: EngineOptions): ServerEngine {
  const memory = createProbeMemory(options.probeFolder ?? null);
  const reacher = createReacher();
  const { id, choosesPort, check, readLine } = kind;
  return {
    ...{ id, choosesPort, check, readLine },
    probe: (profile, { env, signal }) => probe(kind, profile, { env, signal, memory }),
    command: (input) => commandOf(kind, input),
    reach: (input) => reacher.reach(input, kind.rules),
    classify: (input) => classifyFailure(id, input),
    figures: (input) => reacher.figures(input, kind.readFigures),
  };
}

async function probe(
  kind: ProgramEngine,
  profile: Parameters<ServerEngine['probe']>[0],
  asking: {
    env: Readonly<Record<string, string | undefined>>;
    signal: AbortSignal | undefined;
    memory: ProbeMemory;
  },
): Promise<Installation> {
  const { id: engine, search, readVersion = versionIn } = kind;
  const { source } = profile;
  const { env, signal, memory } = asking;
  const { title } = search;
  if (source.kind === 'container') {
    return probeContainer({
      engine,
      title,
      readVersion,
      ...kind.image,
      image: source.image,
      ...asking,
    });
  }
  const file = await findEngine(source, search, env);
  const { command, place, versions, helps, shown, explain } = await kind.program(file);
  const asked = await askProgram(
    {
      ...{ engine, title, place, versions, helps, readVersion, signal },
      identity: programIdentity(file),
      env: withProfile({ ...allowedEnvironment(env), ...kind.probeEnvironment }, profile),
    },
    memory,
  ).catch((error: unknown) => {
    throw explain === undefined ? error : explain(error);
  });
  return { engine, command, ...asked, shown: shown(asked.version) };
}

function commandOf(kind: ProgramEngine, input: LaunchInput): LaunchCommand {
  if (input.profile.source.kind === 'container') {
    return containerCommand(input, kind.inContainer(input));
  }
  return {
    kind: 'program',
    argv: [...input.installation.command, ...kind.words(input)],
    env: kind.environment(input),
    // Python looks for modules where it is started.
    cwd: input.cacheFolder,
    secrets: [input.key],
  };
}
