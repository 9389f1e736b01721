import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureImage, EnvironmentProblem } from '../../scripts/images.mjs';
import { readTaskSet } from '../../src-main/evaluation/index.ts';
import { taskCheckSchema } from '../../src-main/evaluation/tasks/check-file.ts';
import { minimistRepository, yamlRepository } from './package-repositories.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MINUTES = 60_000;
const TARGET = 3;

/** Why the image cannot be made here; `undefined` = it is there. */
async function whyNoImage(name: 'go' | 'node'): Promise<string | undefined> {
  try {
    await ensureImage(name);
    return undefined;
  } catch (error) {
    if (error instanceof EnvironmentProblem) return error.message;
    throw error;
  }
}

async function whyNoProgram(name: string): Promise<string | undefined> {
  const { failed } = await execa(name, ['version'], { reject: false });
  return failed ? `${name} is not on this machine, and fetches the package` : undefined;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vivarium-languages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function vivarium(...args: string[]): Promise<unknown> {
  const command = path.join(ROOT, 'scripts', 'vivarium.mjs');
  const { stdout, stderr, exitCode } = await execa(process.execPath, [command, ...args, '--json'], {
    env: { VIVARIUM_HOME: path.join(folder, 'home') },
    reject: false,
  });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

const LANGUAGES = [
  {
    title: 'Go: yaml.v3',
    image: 'go',
    program: 'go',
    repository: yamlRepository,
    command: 'go test -short . -check.v',
    order: 'random',
    test: /^gopkg\.in\/yaml\.v3::\w+/,
    file: /^\w+\.go$/,
  },
  {
    title: 'JavaScript: minimist',
    image: 'node',
    program: 'npm',
    repository: minimistRepository,
    command: "tape 'test/*.js'",
    order: 'same',
    test: /^\S/,
    file: /^index\.js$/,
  },
] as const;

const checksSchema = z.object({ checks: z.array(taskCheckSchema) });

describe.each(LANGUAGES)('$title', ({ image, program, command, order, file, ...language }) => {
  test(
    'bugs of its own code become tasks whose fix passes and whose bug fails',
    async (context) => {
      const why = (await whyNoProgram(program)) ?? (await whyNoImage(image));
      if (why !== undefined) context.skip(why);
      const repository = await language.repository(folder);
      const out = path.join(folder, image);
      const report = await vivarium(
        ...['tasks', 'synth', '--repo', repository, '--out', out, '--target', `${TARGET}`],
        ...['--generators', 'mutate', '--verify', command, '--reruns', '2'],
        ...['--image', `vivarium-${image}:latest`],
      );
      expect(report).toMatchObject({ validated: TARGET, target: TARGET });

      const { tasks, refused } = await readTaskSet(out);
      expect([tasks.length, refused]).toEqual([TARGET, []]);
      for (const task of tasks) {
        expect(task.metadata['vivarium']).toMatchObject({
          generator: 'mutate',
          rerun_order: order,
        });
        expect(task.expected?.failToPass.length).toBeGreaterThan(0);
        for (const name of task.expected?.failToPass ?? []) expect(name).toMatch(language.test);
        const fix = await readFile(path.join(task.folder, 'solution', 'fix.patch'), 'utf8');
        const changed = [...fix.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, name]) => name);
        expect(changed).toEqual([expect.stringMatching(file)]);
      }

      // Once more, by the command that users have, in workspaces of its own.
      const { checks } = checksSchema.parse(await vivarium('tasks', 'check', out, '--reruns', '2'));
      expect(checks).toHaveLength(TARGET);
      for (const check of checks) {
        expect(check).toMatchObject({ ok: true, problems: [], flaky: [] });
        expect(
          check.runs.map(({ state, order: seed, resolved }) => [state, seed, resolved]),
        ).toEqual([
          ...[null, order === 'random' ? 2 : null].map((seed) => ['base', seed, false]),
          ...[null, order === 'random' ? 2 : null].map((seed) => ['fix', seed, true]),
        ]);
      }
    },
    20 * MINUTES,
  );
});
