import { VivariumError } from '../../../lib/index.ts';
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
import type { Probe } from '../endpoint/http.ts';
import { parserName } from '../shared/arguments.ts';
import { type ArchitectureSince, commonFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_MODEL, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { probeContainer } from '../shared/container/probe.ts';
import { containerCommand, inContainer } from '../shared/container/run-command.ts';
import { allowedEnvironment, OFFLINE, PYTHON } from '../shared/environment.ts';
import { classifyFailure } from '../shared/failures/classify.ts';
import { sglangFigures } from '../shared/figures.ts';
import { findEngine } from '../shared/find-engine.ts';
import { readMilestone } from '../shared/log-progress.ts';
import { createProbeMemory, programIdentity, type ProbeMemory } from '../shared/probe-memory.ts';
import { askProgram, versionIn, withProfile } from '../shared/probe.ts';
import { pythonOf, shownPlace, versionCommand } from '../shared/python-program.ts';
import { createReacher, type ReachRules } from '../shared/reach.ts';
import {
  SAME_PARSERS,
  sglangArguments,
  sglangEnvironment,
  sglangProgramEnvironment,
} from './command.ts';
import { launcher, SOCKET_VARIABLE } from './launcher.ts';
import { SGLANG_MILESTONES } from './milestones.ts';

const SEARCH = {
  title: 'SGLang',
  // A Python is given for a virtual environment of an older version, which has no program of its own.
  programs: ['sglang', 'python3', 'python'],
  next: 'Give its virtual environment or container image in the profile (source: {venv: FOLDER}), or install SGLang; nothing is fetched by Vivarium.',
};

/** Source: release notes of SGLang 0.4.6. */
const SINCE: readonly ArchitectureSince[] = [
  { architecture: /^Qwen3(?:Moe)?ForCausalLM$/, version: '0.4.6', why: 'it does not know it' },
];

const RULES: ReachRules = {
  unavailable: (): Readiness => ({ state: 'loading', detail: 'it is starting' }),
  stillLoading: async (probe, root) => {
    // Its list is there before it can serve. Older versions have no page for that but health.
    const ready = await probe.get(`${root}/ready`);
    const health = ready.status === 404 ? await probe.get(`${root}/health`) : ready;
    return health.status === 200 ? null : 'it is warming up';
  },
  details: readDetails,
};

async function readDetails(probe: Probe, root: string): Promise<Record<string, string>> {
  const { body } = await probe.get(`${root}/get_server_info`);
  if (typeof body !== 'object' || body === null || !('version' in body)) return {};
  return typeof body.version === 'string' ? { version: body.version } : {};
}

/**
 * SGLang from a virtual environment, PATH or a container image. Never run here for lack of a GPU:
 * its commands, logs and figures follow its documentation and reports.
 */
export function createSglangEngine(options: { probeFolder?: string } = {}): ServerEngine {
  const memory = createProbeMemory(options.probeFolder ?? null);
  const reacher = createReacher();
  return {
    id: 'sglang',
    choosesPort: false,
    probe: (profile, { env, signal }) => probe(profile, env, signal, memory),
    check,
    command,
    readLine: (line) => readMilestone(line, SGLANG_MILESTONES),
    reach: (input) => reacher.reach(input, RULES),
    classify: (input) => classifyFailure('sglang', input),
    figures: (input) => reacher.figures(input, sglangFigures),
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
      engine: 'sglang',
      title: 'SGLang',
      image: source.image,
      words: ['python3', '-c', launcher({ relay: true })],
      versions: [versionCommand('python3', 'sglang')],
      helps: [['python3', '-m', 'sglang.launch_server', '--help']],
      env,
      signal,
      memory,
    });
  }
  const file = await findEngine(source, SEARCH, env);
  const python = (await pythonOf(file)) ?? file;
  const asked = await askProgram(
    {
      engine: 'sglang',
      title: 'SGLang',
      place: shownPlace(file),
      identity: programIdentity(file),
      versions: [versionCommand(python, 'sglang')],
      helps: [[python, '-m', 'sglang.launch_server', '--help']],
      readVersion: versionIn,
      env: withProfile({ ...allowedEnvironment(env), ...OFFLINE, ...PYTHON }, profile),
      signal,
    },
    memory,
  ).catch((error: unknown) => {
    throw notInstalled(error, python);
  });
  const shown = `sglang ${asked.version} in ${shownPlace(file)}`;
  return { engine: 'sglang', command: [python, '-c', launcher({ relay: false })], ...asked, shown };
}

/** Any Python will do to look for SGLang, and most have none: that is no fault of theirs. */
function notInstalled(error: unknown, python: string): unknown {
  if (!(error instanceof VivariumError) || !error.message.includes('PackageNotFoundError')) {
    return error;
  }
  const message = `SGLang is not installed for ${python}`;
  return new VivariumError('engine_missing', message, SEARCH.next, error);
}

function check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[] {
  const faults = commonFaults(profile, installation, model, {
    format: 'safetensors',
    since: SINCE,
  });
  if (installation.flags === null) return faults;
  const call = parserName(profile.callParser, '--tool-call-parser', SAME_PARSERS, installation);
  const parsers = {
    ...(call === null ? {} : { '--tool-call-parser': call }),
    ...(profile.reasoningParser === null ? {} : { '--reasoning-parser': profile.reasoningParser }),
  };
  return [...faults, ...checkFlags(parsers, installation)];
}

function command(input: LaunchInput): LaunchCommand {
  const { installation, model, profile } = input;
  if (profile.source.kind === 'container') {
    return containerCommand(input, {
      words: [
        ...['python3', '-c', launcher({ relay: true })],
        ...sglangArguments(inContainer(input), CONTAINER_MODEL),
      ],
      env: { ...sglangEnvironment(input, CONTAINER_CACHE), [SOCKET_VARIABLE]: CONTAINER_SOCKET },
    });
  }
  return {
    kind: 'program',
    argv: [...installation.command, ...sglangArguments(input, model.entry)],
    env: sglangProgramEnvironment(input),
    // Python looks for modules where it is started.
    cwd: input.cacheFolder,
    secrets: [input.key],
  };
}
