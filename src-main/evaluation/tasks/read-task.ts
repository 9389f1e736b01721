import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { lastWorkdir } from './dockerfile.ts';
import { hashTask } from './hash-task.ts';
import { taskInvalid } from './invalid.ts';
import { checkedImage, checkedName, checkedWorkdir } from './names.ts';
import {
  asksForNetwork,
  bytesOf,
  parseTaskToml,
  withoutHostVariables,
  type OurTable,
  type TaskToml,
} from './task-toml.ts';
import { parseTestList } from './test-list.ts';
import type { ExpectedTests, ResultReader, Task, TaskTree, TaskVerifier } from './types.ts';

const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const DEFAULT_WORKDIR = '/workspace';
export const EXPECTED_FILE = 'expected.json';

/**
 * A task of a Harbor directory, ours or a foreign one.
 *
 * @throws VivariumError `task_invalid` with what is wrong, and what to do
 */
export async function readTask(folder: string): Promise<Task> {
  const place = await realpath(folder).catch((error: unknown) => {
    throw taskInvalid(`the folder ${folder} cannot be read`, 'Check the path.', error);
  });
  const name = checkedName(path.basename(place), 'the name of the folder');
  try {
    return await readIn(place, name);
  } catch (error) {
    if (error instanceof VivariumError && error.code !== 'task_invalid') throw error;
    // A file that may not be read, or went away meanwhile, is a fault of this task alone.
    if (!(error instanceof VivariumError) && !isOfFiles(error)) throw error;
    const next = error instanceof VivariumError ? error.next : 'Check the files of the task.';
    throw taskInvalid(`task ${name}: ${messageOf(error)}`, next, error);
  }
}

function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function readIn(folder: string, name: string): Promise<Task> {
  const { toml, ours } = parseTaskToml(await required(folder, 'task.toml'));
  refuseForeignKinds(toml);
  const instruction = withoutCanary(await required(folder, 'instruction.md'));
  if (instruction.trim() === '')
    throw taskInvalid('instruction.md is empty', 'Say what is to be done.');
  await required(folder, 'tests/test.sh');
  const dockerfile = await optional(folder, 'environment/Dockerfile');
  const reference = ours?.image ?? toml.environment.docker_image ?? null;
  await refuseNoImage(folder, reference, dockerfile);
  const said = ours?.workdir ?? toml.environment.workdir ?? lastWorkdir(dockerfile ?? '');
  const { cpus, memory_mb, memory, storage_mb, storage } = toml.environment;
  const seconds = toml.agent.timeout_sec;
  return {
    name,
    folder,
    instruction,
    image: {
      reference: reference === null ? null : checkedImage(reference),
      dockerfile: dockerfile === undefined ? null : path.join(folder, 'environment', 'Dockerfile'),
    },
    tree: await treeOf(folder, ours),
    workdir: checkedWorkdir(said ?? DEFAULT_WORKDIR),
    limits: {
      cpus: cpus ?? null,
      memoryBytes: bytesOf(memory_mb, memory),
      diskBytes: bytesOf(storage_mb, storage),
    },
    agentTimeoutMs: seconds === undefined ? null : seconds * 1000,
    wantsNetwork: asksForNetwork(toml),
    verifier: verifierOf(toml, ours),
    expected: await expectedOf(folder, ours),
    metadata: toml.metadata,
    hash: await hashTask(folder),
  };
}

/** Absolute paths of the image that an agent must not find: the known fix, the scripts that judge. */
export function hiddenPaths(task: Task): string[] {
  const own = task.metadata['vivarium'];
  const hide = typeof own === 'object' && own !== null && 'hide' in own ? own.hide : undefined;
  return Array.isArray(hide) ? hide.filter((path) => typeof path === 'string') : [];
}

function refuseForeignKinds(toml: TaskToml): void {
  if (toml.steps.length > 0) {
    throw taskInvalid('it has several steps, which is not supported', 'Leave this task out.');
  }
  if (toml.environment.os.toLowerCase() !== 'linux') {
    throw taskInvalid(`it is for ${toml.environment.os}`, 'Only tasks for Linux can run here.');
  }
}

async function refuseNoImage(
  folder: string,
  reference: string | null,
  dockerfile: string | undefined,
): Promise<void> {
  for (const compose of ['docker-compose.yaml', 'docker-compose.yml']) {
    if ((await optional(folder, `environment/${compose}`)) === undefined) continue;
    throw taskInvalid(
      `it runs in several containers (environment/${compose})`,
      'Leave this task out: a workspace is one container.',
    );
  }
  if (reference !== null || dockerfile !== undefined) return;
  throw taskInvalid(
    'it names no image and has no environment/Dockerfile',
    'Name the image as docker_image in [environment] of task.toml.',
  );
}

function verifierOf(toml: TaskToml, ours: OurTable | undefined): TaskVerifier {
  const own = ours?.verifier;
  return {
    on: own?.on ?? 'workspace',
    timeoutMs: toml.verifier.timeout_sec * 1000,
    env: withoutHostVariables(toml.verifier.env),
    reader: readerOf(own),
    protect: own?.protect ?? [],
  };
}

function readerOf(own: OurTable['verifier']): ResultReader {
  if (own?.reader !== 'swe-bench') return { kind: own?.reader ?? 'reward' };
  if (own.parser !== undefined)
    return { kind: 'swe-bench', parser: own.parser, failOnly: own.fail_only };
  throw taskInvalid(
    'metadata.vivarium.verifier names no parser for the log',
    'Name it as `parser`, as SWE-bench calls it.',
  );
}

async function treeOf(folder: string, ours: OurTable | undefined): Promise<TaskTree> {
  if (ours?.tree === undefined) return { kind: 'image' };
  const name = checkedName(ours.tree, 'metadata.vivarium.tree');
  const file = path.join(folder, 'environment', name);
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() === true) return { kind: 'archive', file };
  throw taskInvalid(`environment/${name} is missing`, 'Make the task again, or copy it whole.');
}

/** Readers that tell tests apart by name. */
const BY_NAME = new Set(['junit', 'ctrf', 'swe-bench', 'swe-bench-pro']);

async function expectedOf(
  folder: string,
  ours: OurTable | undefined,
): Promise<ExpectedTests | null> {
  // A file of that name in a foreign task is something else.
  if (!BY_NAME.has(ours?.verifier?.reader ?? '')) return null;
  const text = await optional(folder, `tests/${EXPECTED_FILE}`);
  if (text === undefined) return null;
  let lists: Record<string, unknown>;
  try {
    lists = JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw taskInvalid(`tests/${EXPECTED_FILE} is no JSON`, 'Make the task again.', error);
  }
  return {
    failToPass: parseTestList(lists['fail_to_pass'], 'fail_to_pass'),
    passToPass: parseTestList(lists['pass_to_pass'], 'pass_to_pass'),
  };
}

async function required(folder: string, name: string): Promise<string> {
  const text = await optional(folder, name);
  if (text !== undefined) return text;
  throw taskInvalid(`${name} is missing`, 'A task is a Harbor directory; see docs/tasks.md.');
}

/** Text of a file that is there as such; a link is not followed. */
async function optional(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, name);
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw taskInvalid(`${name} is no plain file`, 'Put the file itself there.');
  if (found.size > MAX_TEXT_BYTES) throw taskInvalid(`${name} is too large`, 'Check the task.');
  return readFile(file, 'utf8');
}

/** Marks against training data, which agents are not shown; as Harbor leaves them out. */
export function withoutCanary(text: string): string {
  const lines = text.split('\n');
  let at = 0;
  while (/^(<!--.*canary.*-->|#.*canary.*)$/i.test((lines[at] ?? '').trim())) at += 1;
  if (at === 0) return text;
  while (at < lines.length && (lines[at] ?? '').trim() === '') at += 1;
  return lines.slice(at).join('\n');
}
