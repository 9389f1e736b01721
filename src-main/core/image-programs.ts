import { findImage, probeEngine, fitLimits } from '../workspaces/index.ts';
import type { Environment } from './environment.ts';

/** For an image whose shell hangs. */
const LOOK_MS = 20_000;
const KEPT_BYTES = { head: 2 ** 20, tail: 0 };

/** The names of what a shell finds, without starting a program for each. */
const LIST = `
IFS=:
for folder in $PATH; do
  for file in "$folder"/*; do
    if [ -x "$file" ] && [ ! -d "$file" ]; then printf '%s\\n' "\${file##*/}"; fi
  done
done`;

const known = new WeakMap<Environment, Map<string, Promise<ReadonlySet<string>>>>();

/**
 * Programs that a command finds by name in a workspace of this image, looked for once per image in
 * an empty workspace. `null` when it cannot be told: no such image, or no workspace can be opened.
 */
export async function programsOf(
  environment: Environment,
  reference: string,
): Promise<ReadonlySet<string> | null> {
  const image = await findImage(await environment.engine(), reference).catch(() => null);
  if (image === null) return null;
  const looked = known.get(environment) ?? new Map<string, Promise<ReadonlySet<string>>>();
  known.set(environment, looked);
  const looking = looked.get(image.id) ?? look(environment, image.id);
  looked.set(image.id, looking);
  try {
    return await looking;
  } catch {
    // What is wrong is told by those who need a workspace; the next question looks again.
    looked.delete(image.id);
    return null;
  }
}

/** By nobody's signal: others may wait for the same. */
async function look(environment: Environment, imageId: string): Promise<ReadonlySet<string>> {
  const { limits } = fitLimits({}, await probeEngine(await environment.engine()));
  const workspace = await environment.openWorkspace({
    ...{ image: imageId, limits, seed: nothing() },
    labels: { session: 'check', attempt: 'programs' },
    signal: AbortSignal.timeout(LOOK_MS),
  });
  try {
    const shell = (await workspace.stat('/bin/bash')) === undefined ? 'sh' : 'bash';
    const asked = { command: LIST, shell, timeoutMs: LOOK_MS, keepBytes: KEPT_BYTES } as const;
    const { exitCode, stdout } = await workspace.run(asked);
    const names = new TextDecoder().decode(stdout.head).split('\n').filter(Boolean);
    if (exitCode !== 0 || names.length === 0) throw new Error('the programs could not be listed');
    return new Set(names);
  } finally {
    await workspace.close();
  }
}

async function* nothing(): AsyncGenerator<never, void, void> {
  // No file of the repository is needed to look for programs.
}
