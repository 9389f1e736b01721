import { isAbsolute } from 'node:path';
import { VivariumError } from '../../../lib/index.ts';
import type { EngineSource } from '../../servers/types.ts';
import { findProgram, pathFolders } from './find-program.ts';
import { programsOf } from './python-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface EngineSearch {
  /** `vLLM`, for people. */
  title: string;
  /** Names of its program, the best one first. */
  programs: readonly string[];
  /** What to do when there is none. */
  next: string;
}

/**
 * Finds the program of an engine where the profile says: in a virtual environment, by name or path,
 * or (`auto`) in the active virtual environment and on PATH. Nowhere else is looked.
 * @throws VivariumError `engine_missing` naming each place that was looked at
 */
export async function findEngine(
  source: Exclude<EngineSource, { kind: 'container' }>,
  search: EngineSearch,
  env: Env,
): Promise<string> {
  const looked: string[] = [];
  const names = source.kind === 'program' ? [source.file] : search.programs;
  for (const name of names) {
    const found = await findProgram(name, foldersOf(source, env));
    if (found.file !== null) return found.file;
    looked.push(...found.looked);
  }
  throw missing(search, source, looked);
}

function foldersOf(source: EngineSource, env: Env): string[] {
  if (source.kind === 'venv') return [programsOf(source.folder), source.folder];
  const active = env['VIRTUAL_ENV'];
  const onPath = pathFolders(env);
  return active !== undefined && isAbsolute(active) ? [programsOf(active), ...onPath] : onPath;
}

const MAX_SHOWN = 8;

function missing(search: EngineSearch, source: EngineSource, looked: string[]): VivariumError {
  const shown = looked.slice(0, MAX_SHOWN);
  const more = looked.length - shown.length;
  const places = shown.length === 0 ? 'PATH (which is empty)' : shown.join(', ');
  const place = source.kind === 'auto' ? 'on PATH or in an active virtual environment' : 'there';
  return new VivariumError(
    'engine_missing',
    `${search.title} is not ${place}: looked for ${places}${more > 0 ? ` and ${String(more)} more` : ''}`,
    search.next,
  );
}
