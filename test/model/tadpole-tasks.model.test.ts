import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SessionResult } from '../../src-main/contract/index.ts';
import { type Core, createCore } from '../../src-main/core/index.ts';

const MODEL = fileURLToPath(new URL('../../resources/models/tadpole.gguf', import.meta.url));
/** Made by `scripts/tadpole/fixture.py`. */
const TASKS = new URL('../fixtures/tadpole-tasks.json', import.meta.url);
const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';
const SEED = 1;

/**
 * The model's data sheet: 80.3 % of single runs (800 runs). Of 20 tasks that is 16; with that share 11
 * or more are solved in 99.7 % of draws of 20 tasks.
 * Fewer means that something in the loop, the observations or the engine has changed for the worse:
 * before its observations were exact the model solved none.
 */
const MIN_SOLVED = 11;

const taskSchema = z.object({
  kind: z.string(),
  /** The repository, its tests among them: text by path. */
  files: z.record(z.string(), z.string()),
  issue: z.string(),
  /** Python that runs the function on more inputs than the tests do, and fails on a wrong result. */
  hidden: z.string(),
});
type TadpoleTask = z.infer<typeof taskSchema>;

const fixture = z
  .object({ seed: z.number(), tasks: z.array(taskSchema) })
  .parse(JSON.parse(readFileSync(TASKS, 'utf8')));

let folder: string;
let core: Core;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-tadpole-'));
  core = createCore({ home: join(folder, 'home'), env: process.env });
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

function makeRepository(task: TadpoleTask, index: number): string {
  const repository = join(folder, `task-${index}`);
  mkdirSync(repository);
  for (const [file, text] of Object.entries(task.files)) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    writeFileSync(join(repository, file), text);
  }
  const git = (...words: string[]): void => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
    execFileSync('git', ['-C', repository, ...who, ...words], { stdio: 'pipe' });
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  return repository;
}

/** The visible test and then the hidden inputs; the heredoc's end cannot occur in the code. */
function verifyCommand(task: TadpoleTask): string {
  return `python3 -m pytest -q && python3 - <<'END_OF_HIDDEN'\n${task.hidden}END_OF_HIDDEN`;
}

function solve(task: TadpoleTask, index: number): Promise<SessionResult> {
  return core.fix({
    repository: makeRepository(task, index),
    issue: task.issue,
    model: `gguf:${MODEL}`,
    scaffold: 'tadpole',
    image: IMAGE,
    verify: verifyCommand(task),
    seed: SEED,
  });
}

describe('tadpole through the real loop in real workspaces', () => {
  it(
    `solves about what its data sheet says of ${fixture.tasks.length} tasks`,
    { timeout: 1_800_000 },
    async () => {
      expect(fixture.tasks).toHaveLength(20);
      const lines: string[] = [];
      let solved = 0;
      let prompt = 0;
      let cached = 0;
      for (const [index, task] of fixture.tasks.entries()) {
        const result = await solve(task, index);
        const [attempt] = result.attempts;
        if (result.outcome === 'verified') solved += 1;
        prompt += attempt?.tokens.prompt ?? 0;
        cached += attempt?.tokens.cached ?? 0;
        lines.push(
          `${task.kind}: ${result.outcome}, ${attempt?.exitReason}, ${attempt?.steps} steps`,
        );
      }
      const share = Math.round((100 * cached) / prompt);
      lines.push(`solved ${solved} of 20, ${share} % of prompt tokens cached`);
      process.stdout.write(`${lines.join('\n')}\n`);
      expect(solved).toBeGreaterThanOrEqual(MIN_SOLVED);
      // Append-only turns: only the observations are new.
      expect(cached / prompt).toBeGreaterThan(0.6);
    },
  );
});
