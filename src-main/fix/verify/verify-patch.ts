import type { Verification, VerificationRun } from '../../contract/index.ts';
import type { Change } from '../../patch/index.ts';
import type { Workspace } from '../../workspaces/index.ts';
import { compareRuns, summarise } from './judge.ts';
import { protectChanges } from './protected-files.ts';
import { runCommand } from './run-command.ts';
import { findShadows } from './shadows.ts';

export interface VerifyRequest {
  /** Opens a workspace that nobody used before, at the snapshot with these changes applied. */
  openAt: (changes: readonly Change[]) => Promise<Workspace>;
  /** The patch. */
  changes: readonly Change[];
  command: string;
  /** Globs of the user, added to the protected files of the defaults. */
  protect?: readonly string[] | undefined;
  /** Of each of the two runs. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Result of an earlier {@link runBefore} with the same snapshot and command. */
  before?: VerificationRun | undefined;
  onPhase?: ((text: string) => void) | undefined;
}

type Settings = Omit<VerifyRequest, 'changes' | 'before'>;

async function withWorkspace<T>(
  settings: Pick<Settings, 'openAt' | 'signal'>,
  changes: readonly Change[],
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  settings.signal?.throwIfAborted();
  const workspace = await settings.openAt(changes);
  try {
    return await use(workspace);
  } finally {
    // A verdict counts even if the engine can't remove its workspace now: the core closes it again.
    await workspace.close().catch(() => undefined);
  }
}

/**
 * Runs the command on the snapshot alone, in its own workspace. One result serves all attempts of
 * a session.
 *
 * @throws what `openAt` throws, VivariumError `workspace_lost`, or the signal's reason
 */
export async function runBefore(settings: Settings): Promise<VerificationRun> {
  settings.onPhase?.('verify command on the snapshot');
  return withWorkspace(settings, [], (workspace) => runCommand(workspace, settings));
}

/** Shadowing modules that the snapshot does not have itself (a repository may hold pytest's own). */
async function newShadows(settings: Settings, shadows: readonly string[]): Promise<string[]> {
  return withWorkspace(settings, [], async (workspace) => {
    const added: string[] = [];
    for (const path of shadows) {
      if ((await workspace.stat(path)) === undefined) added.push(path);
    }
    return added;
  });
}

interface AfterRun {
  run: VerificationRun;
  /** Paths of new modules that hid installed ones and were removed. */
  removed: string[];
}

async function runAfter(settings: Settings, changes: readonly Change[]): Promise<AfterRun> {
  settings.onPhase?.('verify command on snapshot and patch');
  const first = await withWorkspace(settings, changes, async (workspace) => {
    const shadows = await findShadows(workspace, changes, settings);
    if (shadows.length > 0) return { shadows };
    return { run: await runCommand(workspace, settings) };
  });
  if ('run' in first) return { run: first.run, removed: [] };
  const added = await newShadows(settings, first.shadows);
  const isShadow = ({ path }: Change): boolean =>
    added.some((shadow) => path === shadow || path.startsWith(`${shadow}/`));
  const kept = changes.filter((change) => !isShadow(change));
  const run = await withWorkspace(settings, kept, (workspace) => runCommand(workspace, settings));
  return { run, removed: changes.filter(isShadow).map(({ path }) => path) };
}

/**
 * Judges a patch by the user's command: run on the snapshot and on snapshot + patch, each in its
 * own fresh workspace that is closed afterwards, with protected files put back as the snapshot has
 * them. Nothing that an attempt left running can reach either.
 *
 * Code of the patch runs in the same process as the tests, and can leave processes behind. What
 * contradicts itself is refused (missing tests, exit code against report, report against output),
 * but code written to deceive could forge all of them alike: a verification is no substitute for
 * reading the patch.
 *
 * @throws what `openAt` throws, VivariumError `workspace_lost`, or the signal's reason
 */
export async function verifyPatch(request: VerifyRequest): Promise<Verification> {
  const { command, protect = [], changes } = request;
  const before = request.before ?? (await runBefore(request));
  const { kept, restored, manifests, named } = protectChanges(changes, { command, protect });
  const { run, removed } = await runAfter(request, kept);
  const comparison = compareRuns(before.tests, run.tests);
  const passed = run.passed && comparison.objection === null;
  const reason =
    run.reason ?? (run.exitCode === 0 || run.tests.length > 0 ? comparison.objection : null);
  const after = { ...run, passed, reason };
  const putBack = [...restored, ...removed].sort();
  return {
    command,
    before,
    after,
    restored: putBack,
    regressions: comparison.regressions,
    fixed: comparison.fixed,
    passed,
    summary: summarise({
      before,
      after,
      comparison,
      restored: putBack,
      manifests,
      named,
      nothingLeft: kept.length === removed.length && changes.length > 0,
    }),
  };
}
