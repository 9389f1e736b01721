import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, processIdentity } from '../../lib/index.ts';
import { reapOrphans } from '../../workspaces/index.ts';
import type { Environment } from '../environment.ts';
import type { RolloutOptions } from './types.ts';

const PREFIX = 'vivarium-rollout-';
/** Names the process whose home it is. */
const OWNER = 'rollout-owner';
/** A home without a name that is this old has no process behind it any more. */
const HALF_MADE_MS = 60 * 60 * 1000;

/** Where a rollout keeps its record, and how to be rid of it. */
export interface RolloutHome {
  home: string;
  remove(): Promise<void>;
}

/**
 * The record of a rollout is of use to nobody once its reward is posted, unless it was given a home:
 * then it lies in a temporary folder. Those that dead rollouts left are removed first, with what
 * they have in the container engine.
 */
export async function openRolloutHome(
  main: Environment,
  { onPhase }: RolloutOptions,
): Promise<RolloutHome> {
  const { env, home } = main.config;
  if (env['VIVARIUM_HOME']) return { home, remove: () => Promise.resolve() };
  const made = await mkdtemp(path.join(tmpdir(), PREFIX));
  await writeFile(path.join(made, OWNER), processIdentity());
  const removed = await removeDeadHomes(main);
  if (removed > 0) onPhase?.(`removed what killed rollouts had left: ${removed}`);
  return { home: made, remove: () => rm(made, { recursive: true, force: true }) };
}

async function removeDeadHomes(main: Environment): Promise<number> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  let removed = 0;
  for (const name of names) {
    const home = path.join(tmpdir(), name);
    if (!(await isDeadHome(home))) continue;
    await reapOrphans(await main.engine(), home);
    await rm(home, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** Everybody can write to the folder for temporary files: only what this user made is looked at. */
async function isDeadHome(home: string): Promise<boolean> {
  try {
    const facts = await lstat(home);
    if (!facts.isDirectory() || facts.uid !== process.getuid?.()) return false;
    const owner = await readFile(path.join(home, OWNER), 'utf8').catch(() => '');
    return owner === '' ? Date.now() - facts.mtimeMs > HALF_MADE_MS : !isAlive(owner);
  } catch {
    // Another rollout has removed it meanwhile.
    return false;
  }
}
