import { VivariumError } from '../../../../lib/index.ts';
import type { Installation, ServerEngineId } from '../../../servers/types.ts';
import { allowedEnvironment } from '../environment.ts';
import { findProgram, pathFolders } from '../find-program.ts';
import type { ProbeMemory } from '../probe-memory.ts';
import { askProgram, versionIn } from '../probe.ts';
import { runProbe } from '../run-probe.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ContainerQuestions {
  engine: ServerEngineId;
  title: string;
  image: string;
  /** The program in the image that serves. */
  words: readonly string[];
  /** Commands in the image that print the version, and the help; tried in order. */
  versions: readonly (readonly string[])[];
  helps: readonly (readonly string[])[];
  /** Default: the first number that looks like a version. */
  readVersion?: (text: string) => string | null;
  env: Env;
  signal: AbortSignal | undefined;
  memory: ProbeMemory;
}

const INSPECT_TIMEOUT_MS = 20_000;

/**
 * Asks an engine in a local container image for version and flags, in a container without network.
 * The command of the result is `docker run --user USER IMAGE PROGRAM ...`.
 * @throws VivariumError `engine_missing` when Docker or the image is not there, or does not run it
 */
export async function probeContainer(questions: ContainerQuestions): Promise<Installation> {
  const { engine, image, env, signal, title } = questions;
  const docker = await findDocker(env, title);
  const clientEnv = dockerEnvironment(env);
  const id = await imageId(docker, questions, clientEnv);
  const inside = (words: readonly string[]): string[] => [
    ...[docker, 'run', '--rm', '--pull', 'never', '--network', 'none'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'],
    ...['--tmpfs', '/tmp:rw,exec', '--env', 'HOME=/tmp'],
    ...['--entrypoint', words[0] ?? '', id, ...words.slice(1)],
  ];
  const asked = await askProgram(
    {
      engine,
      title,
      place: `the image ${image}`,
      identity: id,
      versions: questions.versions.map(inside),
      helps: questions.helps.map(inside),
      readVersion: questions.readVersion ?? versionIn,
      env: clientEnv,
      signal,
    },
    questions.memory,
  );
  const shown = `${engine} ${asked.version} in the image ${image}`;
  const user = await containerUser(docker, clientEnv, signal);
  const command = [docker, 'run', '--user', user, image, ...questions.words];
  return { engine, command, ...asked, shown };
}

/**
 * The user in a container that is ours outside: the same number, but for a Docker without root
 * rights, whose root is us. Anybody else could not write into our folders.
 */
async function containerUser(
  docker: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  // Docker Desktop (macOS, Windows) lets every user of a container write.
  if (user === undefined || group === undefined) return '0:0';
  const asked = ['info', '--format', '{{json .SecurityOptions}}'];
  const run = await runProbe([docker, ...asked], { env, timeoutMs: INSPECT_TIMEOUT_MS, signal });
  return run.ok && run.text.includes('name=rootless') ? '0:0' : `${String(user)}:${String(group)}`;
}

async function findDocker(env: Env, title: string): Promise<string> {
  const found = await findProgram('docker', pathFolders(env));
  if (found.file !== null) return found.file;
  throw new VivariumError(
    'engine_missing',
    `${title} is to run in a container, and docker is not on PATH`,
    'Install Docker, or give a virtual environment in the profile (source: {venv: FOLDER}).',
  );
}

async function imageId(
  docker: string,
  { image, title, signal }: ContainerQuestions,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const run = await runProbe([docker, 'image', 'inspect', '--format', '{{.Id}}', image], {
    env,
    timeoutMs: INSPECT_TIMEOUT_MS,
    signal,
  });
  const id = run.text.trim();
  if (run.ok && id !== '') return id;
  const missing = /no such image/i.test(run.fault);
  throw new VivariumError(
    'engine_missing',
    missing
      ? `the image ${image} of ${title} is not on this machine`
      : `docker does not answer: ${run.fault}`,
    missing
      ? `Load it from a file: docker load -i IMAGE.tar. Nothing is fetched.`
      : 'Start Docker; `vivarium doctor` says what is wrong with it.',
  );
}

function dockerEnvironment(env: Env): Record<string, string> {
  const docker = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('DOCKER_') && entry[1] !== undefined,
  );
  return { ...allowedEnvironment(env), ...Object.fromEntries(docker) };
}
