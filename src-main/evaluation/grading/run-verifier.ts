import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CapturedOutput, SeedEntry, Workspace } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';
import { resultFiles } from './result-files.ts';
import { testEntries } from './test-entries.ts';
import type { Evidence } from './types.ts';
import { LOGS_FOLDER, TESTS_FOLDER } from './workspace-options.ts';

const MIB = 2 ** 20;
const KEEP_BYTES = { head: 8 * MIB, tail: 24 * MIB };
const SCRIPT = `${TESTS_FOLDER}/test.sh`;

/**
 * Puts the tests into a workspace and runs them. `/logs` and `/tests` are empty when it begins. No
 * process is left when the results are read, so that nothing can write them afterwards.
 * @throws VivariumError `workspace_lost` and others of workspaces; the signal's reason.
 */
export async function runVerifier(
  workspace: Workspace,
  task: Task,
  signal: AbortSignal,
): Promise<Omit<Evidence, 'applied' | 'planted' | 'restored'>> {
  await workspace.place(LOGS_FOLDER, logFolders());
  await workspace.place(TESTS_FOLDER, testEntries(task));
  const result = await workspace.run({
    command: await commandOf(task),
    // No login shell: it would read what an agent may have left in the home folder.
    shell: 'sh',
    env: task.verifier.env,
    timeoutMs: task.verifier.timeoutMs,
    keepBytes: KEEP_BYTES,
    signal,
  });
  signal.throwIfAborted();
  await workspace.endProcesses();
  return {
    exitCode: result.exitCode,
    timedOut: result.timedOut,
    outOfMemory: result.outOfMemory,
    ...logOf(result.stdout),
    files: await resultFiles(workspace),
    seconds: result.durationMs / 1000,
  };
}

/** Harbor's folders below `/logs`. */
async function* logFolders(): AsyncGenerator<SeedEntry> {
  for (const path of ['verifier', 'agent', 'artifacts']) {
    yield { path, mode: '40000', content: new Uint8Array() };
  }
}

/** As bash starts a script; one that names no interpreter was written for bash. */
async function commandOf(task: Task): Promise<string> {
  const script = await readFile(path.join(task.folder, 'tests', 'test.sh'));
  if (script.subarray(0, 2).toString('latin1') === '#!') return `exec ${SCRIPT} 2>&1`;
  const shell = 'if command -v bash >/dev/null; then exec bash';
  return `${shell} ${SCRIPT} 2>&1; else exec sh ${SCRIPT} 2>&1; fi`;
}

function logOf({ head, tail, totalBytes }: CapturedOutput): Pick<Evidence, 'log' | 'logCutBytes'> {
  const cut = totalBytes - head.length - tail.length;
  if (cut <= 0) return { log: Buffer.concat([head, tail]), logCutBytes: 0 };
  const note = Buffer.from(`\n[${cut} bytes were cut out here]\n`);
  return { log: Buffer.concat([head, note, tail]), logCutBytes: cut };
}
