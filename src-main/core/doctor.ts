import { existsSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { DoctorRow } from '../contract/index.ts';
import { formatSize, messageOf, VivariumError } from '../lib/index.ts';
import { findImage, probeEngine, type Engine } from '../workspaces/index.ts';
import { BASE_IMAGE } from './choose-image.ts';
import type { Environment } from './environment.ts';

/** Below this the record and snapshots may not fit. */
const LOW_DISK_BYTES = 5 * 2 ** 30;
const LOW_MEMORY_BYTES = 6 * 2 ** 30;

/** What `fix` needs and what it would like, each with its state and remedy; see `Core.doctor`. */
export async function doctor(environment: Environment): Promise<DoctorRow[]> {
  const { home } = environment.config;
  const [engine, git, gpu, vllm, sglang] = await Promise.all([
    engineRows(environment),
    gitRow(),
    gpuRow(),
    programRow('engine vllm', ['vllm', '--version']),
    programRow('engine sglang', ['python3', '-c', 'import sglang; print(sglang.__version__)']),
  ]);
  return [...engine, git, diskRow(home), memoryRow(), gpu, llamaRow(), vllm, sglang];
}

async function engineRows(environment: Environment): Promise<DoctorRow[]> {
  let engine: Engine;
  try {
    engine = await environment.engine();
  } catch (error) {
    const next = error instanceof VivariumError ? error.next : 'Start Docker.';
    return [row('docker', 'missing', messageOf(error), next, true)];
  }
  const facts = await probeEngine(engine);
  const image = await findImage(engine, BASE_IMAGE);
  const { cgroupVersion, memoryLimit, pidsLimit } = facts;
  const limits = memoryLimit && pidsLimit;
  const found = `version ${cgroupVersion}, memory limits ${memoryLimit ? 'on' : 'off'}, process limits ${pidsLimit ? 'on' : 'off'}`;
  return [
    row(
      'docker',
      'ok',
      `${engine.name} (${engine.via})${facts.rootless ? ', rootless' : ''}`,
      null,
      true,
    ),
    row('runtime', 'ok', `${facts.defaultRuntime} (has ${facts.runtimes.join(', ')})`, null, false),
    limits
      ? row('cgroup', 'ok', found, null, true)
      : row(
          'cgroup',
          'missing',
          found,
          'Enable cgroup delegation for the engine: workspaces need their limits.',
          true,
        ),
    image
      ? row('image', 'ok', `${BASE_IMAGE}, ${formatSize(image.bytes)}`, null, false)
      : row(
          'image',
          'missing',
          `${BASE_IMAGE} is not here`,
          'Build it with `vivarium images build`, or use --image.',
          false,
        ),
  ];
}

function row(
  name: string,
  state: DoctorRow['state'],
  found: string,
  remedy: string | null,
  required: boolean,
): DoctorRow {
  return { name, state, found, remedy, required };
}

async function gitRow(): Promise<DoctorRow> {
  const version = await firstLineOf(['git', '--version']);
  if (version === null) {
    return row('git', 'missing', 'not found', 'Install git (Debian: apt-get install git).', true);
  }
  return row('git', 'ok', version.replace(/^git version /, ''), null, true);
}

function diskRow(home: string): DoctorRow {
  let folder = home;
  while (!existsSync(folder)) folder = path.dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const found = `${formatSize(free)} free at ${home}`;
  if (free >= LOW_DISK_BYTES) return row('disk', 'ok', found, null, true);
  return row(
    'disk',
    'warning',
    found,
    'Free some space, or set VIVARIUM_HOME to a larger disk.',
    true,
  );
}

/** `MemAvailable` is what the kernel says can be used without swapping. */
function memoryRow(): DoctorRow {
  const total = os.totalmem();
  const available = availableMemory() ?? os.freemem();
  const found = `${formatSize(available)} of ${formatSize(total)} available`;
  if (available >= LOW_MEMORY_BYTES) return row('memory', 'ok', found, null, true);
  return row('memory', 'warning', found, 'Lower --memory, or use a smaller model.', true);
}

function availableMemory(): number | null {
  try {
    const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1];
    return kib === undefined ? null : Number(kib) * 1024;
  } catch {
    return null;
  }
}

async function gpuRow(): Promise<DoctorRow> {
  const query = ['nvidia-smi', '--query-gpu=name,memory.total', '--format=csv,noheader'];
  const found = await firstLineOf(query);
  if (found !== null) return row('gpu', 'ok', found, null, false);
  const remedy = 'Without one, models run on the CPU: slower, but everything works.';
  return row('gpu', 'warning', 'no NVIDIA GPU found', remedy, false);
}

/** The binding is only looked up, not loaded: loading it can end the process on a broken machine. */
function llamaRow(): DoctorRow {
  try {
    const entry = fileURLToPath(import.meta.resolve('node-llama-cpp'));
    const manifest = readFileSync(path.join(path.dirname(entry), '..', 'package.json'), 'utf8');
    const version = /"version": "([^"]+)"/.exec(manifest)?.[1] ?? 'unknown';
    return row('engine llama.cpp', 'ok', `built in (node-llama-cpp ${version})`, null, false);
  } catch (error) {
    return row('engine llama.cpp', 'missing', messageOf(error), 'Run `npm ci` again.', false);
  }
}

async function programRow(name: string, command: string[]): Promise<DoctorRow> {
  const found = await firstLineOf(command);
  if (found !== null) return row(name, 'ok', found, null, false);
  const remedy = 'Optional: start it yourself and pass its URL as --model.';
  return row(name, 'missing', 'not found on PATH', remedy, false);
}

/** First line a program prints; `null` when it is absent, fails or takes over 10 s. */
async function firstLineOf([program = '', ...args]: string[]): Promise<string | null> {
  try {
    const { stdout } = await execa(program, args, { timeout: 10_000, stdin: 'ignore' });
    return stdout.split('\n')[0]?.trim() ?? null;
  } catch {
    return null;
  }
}
