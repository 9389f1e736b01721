import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../scripts/tadpole');

/** Runs Python beside the scripts that make the tadpole; its output. @throws Error with what it printed */
export function runPython(program: string) {
  return run('python3', ['-c', program], { PYTHONPATH: FOLDER });
}

/** Runs one of the scripts that make the tadpole; its output. @throws Error with what it printed */
export function runScript(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = name.endsWith('.py')
    ? 'python3'
    : name.endsWith('.sh')
      ? 'bash'
      : process.execPath;
  return run(program, [path.join(FOLDER, name), ...args], env);
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0', ...env },
  });
  if (result.status !== 0)
    throw new Error(`${program} ${args[0]}: ${result.stdout}${result.stderr}`);
  return result.stdout;
}

/** Buggy repositories of one seed, in a folder; the file that holds them. */
export function makeBugs(folder: string, what: string, seed: number, count: number): string {
  const [corpus, bugs] = [path.join(folder, `${what}.corpus`), path.join(folder, `${what}.bugs`)];
  runScript('make_corpus.py', [`${seed}`, `${count}`, what, corpus]);
  runScript('bugs.ts', [`${seed}`, 'python3', corpus, bugs]);
  return bugs;
}

/** A folder of the running test, removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tadpole-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
