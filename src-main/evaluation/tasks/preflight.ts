import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { formatSize } from '../../lib/index.ts';
import type { TaskCheck } from './check-file.ts';
import { dockerInstructions } from './dockerfile.ts';
import { networkUses, type NetworkUse } from './network-uses.ts';
import type { Task } from './types.ts';

/** What is known of an image that is on this machine. */
export interface LocalImage {
  id: string;
  digests: readonly string[];
}

export interface PreflightMachine {
  cpus: number;
  memoryBytes: number;
  diskBytes: number;
  /** `null` = not on this machine; never pulled. */
  image(reference: string): Promise<LocalImage | null>;
}

export interface PreflightRow {
  task: string;
  /** Can be run here and now. */
  ready: boolean;
  image: { reference: string | null; id: string | null; digests: readonly string[] };
  /** Whether an image could be built here: from local images and without a network. */
  dockerfile: 'none' | 'buildable' | 'needs_network' | 'needs_image';
  wantsNetwork: boolean;
  /** Programs and addresses in scripts that reach for a network. */
  uses: (NetworkUse & { file: string })[];
  /** Packages that the author's verifier would have installed; the image has to have them. */
  packages: string[];
  /** Limits beyond this machine. */
  beyond: string[];
  /** What a check of this very content found; `null` = none was made. */
  checked: boolean | null;
  /** Why it is not ready. */
  problems: string[];
}

/** What the verifier begins with. Scripts that it runs may reach out in vain and still work. */
const ENTRY = 'tests/test.sh';
const MAX_SCRIPT_BYTES = 2 * 2 ** 20;

/** What a task lacks on this machine, before anything is run. */
export async function preflightTask(
  task: Task,
  machine: PreflightMachine,
  check: TaskCheck | undefined,
): Promise<PreflightRow> {
  const { reference } = task.image;
  const local = reference === null ? null : await machine.image(reference);
  const dockerfile = await dockerfileState(task, machine);
  const uses = await scriptUses(task);
  const beyond = beyondOf(task, machine);
  return {
    task: task.name,
    ready: local !== null && beyond.length === 0 && !uses.some(({ file }) => file === ENTRY),
    image: { reference, id: local?.id ?? null, digests: local?.digests ?? [] },
    dockerfile,
    wantsNetwork: task.wantsNetwork,
    uses,
    packages: packagesOf(task),
    beyond,
    checked: check?.ok ?? null,
    problems: [
      ...imageProblems(reference, local, dockerfile),
      ...networkProblemsOf(task, uses),
      ...beyond,
      ...(check?.ok === false ? check.problems : []),
    ],
  };
}

/** What of a task needs a network, in words: its own wish, and its verifier's scripts. */
export async function networkProblems(task: Task): Promise<string[]> {
  return networkProblemsOf(task, await scriptUses(task));
}

function networkProblemsOf({ wantsNetwork }: Task, uses: PreflightRow['uses']): string[] {
  return [
    ...(wantsNetwork ? ['it asks for a network and gets none'] : []),
    ...uses.map(({ file, line, what }) => `${file} line ${line} reaches out (${what})`),
  ];
}

function imageProblems(
  reference: string | null,
  local: LocalImage | null,
  dockerfile: PreflightRow['dockerfile'],
): string[] {
  if (reference !== null) return local === null ? [`the image ${reference} is not here`] : [];
  const next =
    'its image has to be built from its Dockerfile, and named as docker_image in task.toml';
  if (dockerfile === 'needs_image')
    return [`${next}; the Dockerfile begins with an image that is not here`];
  if (dockerfile === 'needs_network') return [`${next}; building it needs a network`];
  return [next];
}

async function dockerfileState(
  { image }: Task,
  machine: PreflightMachine,
): Promise<PreflightRow['dockerfile']> {
  if (image.dockerfile === null) return 'none';
  const text = await readFile(image.dockerfile, 'utf8');
  const stages = new Set(['scratch']);
  for (const { name, rest } of dockerInstructions(text)) {
    if (name !== 'FROM') continue;
    const [from = '', , alias] = rest.replace(/--\S+\s+/g, '').split(/\s+/);
    if (!stages.has(from) && (await machine.image(from)) === null) return 'needs_image';
    if (alias !== undefined) stages.add(alias);
  }
  return networkUses(text).length > 0 ? 'needs_network' : 'buildable';
}

/** Uses in the verifier's shell scripts, and in the Dockerfile where the image is still to be built. */
async function scriptUses(task: Task): Promise<PreflightRow['uses']> {
  const found: PreflightRow['uses'] = [];
  const scan = async (file: string): Promise<void> => {
    const content = await readFile(path.join(task.folder, file));
    if (content.length > MAX_SCRIPT_BYTES) return;
    found.push(...networkUses(content.toString('utf8')).map((use) => ({ file, ...use })));
  };
  const entries = await readdir(path.join(task.folder, 'tests'), { withFileTypes: true });
  const scripts = entries.filter((entry) => entry.isFile() && /\.(sh|bash)$/.test(entry.name));
  for (const { name } of scripts.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    await scan(`tests/${name}`);
  }
  if (task.image.reference === null) await scan('environment/Dockerfile');
  return found;
}

function packagesOf({ metadata }: Task): string[] {
  const own = metadata['vivarium'];
  const listed = typeof own === 'object' && own !== null && 'packages' in own ? own.packages : [];
  return Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : [];
}

function beyondOf({ limits }: Task, machine: PreflightMachine): string[] {
  const { cpus, memoryBytes, diskBytes } = limits;
  const found: string[] = [];
  if (cpus !== null && cpus > machine.cpus) {
    found.push(`it asks for ${cpus} processors, and here are ${machine.cpus}`);
  }
  if (memoryBytes !== null && memoryBytes > machine.memoryBytes) {
    found.push(
      `it asks for ${formatSize(memoryBytes)} of memory, and here are ${formatSize(machine.memoryBytes)}`,
    );
  }
  if (diskBytes !== null && diskBytes > machine.diskBytes) {
    found.push(
      `it asks for ${formatSize(diskBytes)} of disk, and ${formatSize(machine.diskBytes)} are free`,
    );
  }
  return found;
}
