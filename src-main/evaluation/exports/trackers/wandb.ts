import { execa } from 'execa';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { visibleLine, VivariumError } from '../../../lib/index.ts';
import type { OutFolder } from '../out-folder.ts';
import type { ExportSource } from '../types.ts';
import { figuresOf, type EntryFigures } from './figures.ts';
import { WANDB_SCRIPT } from './wandb-script.ts';

const TIMEOUT_MS = 300_000;

export interface WandbOptions {
  /** The user's Python that has `wandb`. */
  python: string;
  project: string;
  signal: AbortSignal;
}

/**
 * Lets the user's own `wandb` write offline runs into `wandb/` of the folder, one for each entry, for
 * `wandb sync` on a machine that has a network. The program gets nothing of our environment but the
 * way to itself.
 * @throws VivariumError `usage` when that Python cannot be started or has no `wandb`
 */
export async function exportWandb(
  source: ExportSource,
  out: OutFolder,
  options: WandbOptions,
): Promise<number> {
  // Its settings, caches and locks, which would else come into the user's home.
  const scratch = await mkdtemp(path.join(tmpdir(), 'vivarium-wandb-'));
  try {
    for (const entry of figuresOf(source)) {
      await runPython(inputOf(entry, out.folder, options.project), scratch, options);
    }
    return source.cells.length;
  } catch (fault) {
    // The folder was empty before, so all of it is from here.
    await rm(path.join(out.folder, 'wandb'), { recursive: true, force: true });
    throw fault;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function inputOf(entry: EntryFigures, dir: string, project: string): string {
  const { name, parameters, totals, cells } = entry;
  const head = { dir, project, name, config: parameters, totals };
  const rows = cells.map(({ figures }, step) => ({ step, figures }));
  return [head, ...rows].map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function runPython(input: string, scratch: string, options: WandbOptions): Promise<void> {
  const { python, signal } = options;
  const result = await execa(python, ['-c', WANDB_SCRIPT], {
    ...{ input, cwd: scratch, extendEnv: false, env: environmentOf(scratch), reject: false },
    ...{ timeout: TIMEOUT_MS, cancelSignal: signal, maxBuffer: 2 ** 20 },
  });
  signal.throwIfAborted();
  if (!result.failed) return;
  const last = visibleLine(result.stderr.trim().split('\n').at(-1) ?? '');
  if (result.exitCode === undefined && !result.timedOut) {
    throw new VivariumError(
      'usage',
      `${visibleLine(python)} cannot be started: ${visibleLine(result.originalMessage ?? '')}`,
      'Name the Python that has wandb with --python, such as ENV/bin/python.',
      result,
    );
  }
  if (last === 'NO_WANDB') {
    throw new VivariumError(
      'usage',
      `${visibleLine(python)} has no wandb`,
      'Install wandb into that environment, or name another Python with --python.',
      result,
    );
  }
  throw new VivariumError(
    'engine_failed',
    `wandb failed${result.timedOut ? ' to end in time' : ''}: ${last || `exit code ${result.exitCode}`}`,
    'Try `wandb.init(mode="offline")` in that Python to see what is wrong.',
    result,
  );
}

function environmentOf(scratch: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return {
    ...{ PATH, HOME, LANG: 'C.UTF-8', PYTHONIOENCODING: 'utf-8' },
    ...{ WANDB_MODE: 'offline', WANDB_SILENT: 'true', WANDB_ERROR_REPORTING: 'false' },
    ...{ WANDB_CONFIG_DIR: scratch, WANDB_CACHE_DIR: scratch, WANDB_DATA_DIR: scratch },
    ...{ WANDB_ARTIFACT_DIR: scratch, WANDB_DISABLE_GIT: 'true', WANDB_CONSOLE: 'off' },
  };
}
