import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import type { DoctorRow } from '../contract/index.ts';
import { formatSize, messageOf, VivariumError } from '../lib/index.ts';
import { findImage, probeEngine, type Engine } from '../workspaces/index.ts';
import { BASE_IMAGE } from './choose-image.ts';
import { modelRows } from './doctor-models.ts';
import type { Environment } from './environment.ts';

/** Below this the record and snapshots may not fit. */
const LOW_DISK_BYTES = 5 * 2 ** 30;

/** What `fix` needs and what it would like, each with its state and remedy; see `Core.doctor`. */
export async function doctor(environment: Environment): Promise<DoctorRow[]> {
  const { home } = environment.config;
  const [engine, git, models] = await Promise.all([
    engineRows(environment),
    gitRow(),
    environment.models.survey().then(modelRows),
  ]);
  return [...engine, git, diskRow(home), ...models];
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

/** First line a program prints; `null` when it is absent, fails or takes over 10 s. */
async function firstLineOf([program = '', ...args]: string[]): Promise<string | null> {
  try {
    const { stdout } = await execa(program, args, { timeout: 10_000, stdin: 'ignore' });
    return stdout.split('\n')[0]?.trim() ?? null;
  } catch {
    return null;
  }
}
