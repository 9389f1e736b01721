import path from 'node:path';
import { listScaffolds } from '../../agent/index.ts';
import type { ScaffoldRow } from '../../contract/index.ts';
import { presetScaffolds } from '../../models/index.ts';
import { RESOURCES, type Environment } from '../environment.ts';

/** Every scaffold that comes with the app, and who is driven by it where nobody names another. */
export async function scaffolds({ models }: Environment): Promise<ScaffoldRow[]> {
  const library = await models.library.list();
  const profiles = await Promise.all(
    // A profile that cannot be read is told where the model is looked at.
    library.map(({ name }) => models.profiles.get(name).catch(() => null)),
  );
  const presets = presetScaffolds();
  const listed = await listScaffolds(path.join(RESOURCES, 'scaffolds'));
  return listed.map(({ name, title, about, limits }) => ({
    ...{ name, title, description: about },
    usedBy: {
      presets: presets.filter(({ scaffold }) => scaffold === name).map(({ preset }) => preset),
      models: profiles.flatMap((profile) => (profile?.scaffold === name ? [profile.name] : [])),
    },
    limits: {
      maxSteps: limits.maxSteps,
      maxContextTokens: limits.maxContextTokens,
      maxTokensPerTurn: limits.maxTokensPerTurn,
      timeLimitMs: limits.timeLimitMs,
    },
  }));
}
