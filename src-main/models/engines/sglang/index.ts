import { VivariumError } from '../../../lib/index.ts';
import type {
  Installation,
  LibraryModel,
  ModelProfile,
  Readiness,
  ServerEngine,
} from '../../servers/types.ts';
import type { Probe } from '../endpoint/http.ts';
import { type ArchitectureSince, commonFaults, parserFaults } from '../shared/check-model.ts';
import { CONTAINER_CACHE, CONTAINER_MODEL, CONTAINER_SOCKET } from '../shared/container/places.ts';
import { inContainer } from '../shared/container/run-command.ts';
import { OFFLINE, PYTHON } from '../shared/environment.ts';
import { sglangFigures } from '../shared/figures.ts';
import { readMilestone } from '../shared/log-progress.ts';
import {
  createProgramEngine,
  type EngineOptions,
  type ProgramEngine,
} from '../shared/program-engine.ts';
import { pythonOf, shownPlace, versionCommand } from '../shared/python-program.ts';
import type { ReachRules } from '../shared/reach.ts';
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
export function createSglangEngine(options: EngineOptions = {}): ServerEngine {
  return createProgramEngine(SGLANG, options);
}

const HELP = ['-m', 'sglang.launch_server', '--help'];

const SGLANG: ProgramEngine = {
  id: 'sglang',
  choosesPort: false,
  search: SEARCH,
  image: {
    words: ['python3', '-c', launcher({ relay: true })],
    versions: [versionCommand('python3', 'sglang')],
    helps: [['python3', ...HELP]],
  },
  program: async (file) => {
    const python = (await pythonOf(file)) ?? file;
    return {
      command: [python, '-c', launcher({ relay: false })],
      place: shownPlace(file),
      versions: [versionCommand(python, 'sglang')],
      helps: [[python, ...HELP]],
      shown: (version) => `sglang ${version} in ${shownPlace(file)}`,
      explain: (error) => notInstalled(error, python),
    };
  },
  probeEnvironment: { ...OFFLINE, ...PYTHON },
  check,
  readLine: (line) => readMilestone(line, SGLANG_MILESTONES),
  rules: RULES,
  readFigures: sglangFigures,
  words: (input) => sglangArguments(input, input.model.entry),
  environment: sglangProgramEnvironment,
  inContainer: (input) => ({
    words: [
      ...['python3', '-c', launcher({ relay: true })],
      ...sglangArguments(inContainer(input), CONTAINER_MODEL),
    ],
    env: { ...sglangEnvironment(input, CONTAINER_CACHE), [SOCKET_VARIABLE]: CONTAINER_SOCKET },
  }),
};

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
  return [...faults, ...parserFaults(profile, installation, SAME_PARSERS)];
}
