/**
 * Buggy repositories as tasks that `vivarium eval run` takes: `tasks.ts COUNT IN OUT`. Their own tests
 * judge, put back as they were before they run. Which ones is drawn by chance, the same each time: they
 * come kind after kind, and the first would be of some kinds only.
 */
import { mkdir } from 'node:fs/promises';
import process from 'node:process';
import {
  commandVerifier,
  fixOf,
  judgeGlobs,
  writeTask,
  type TreeFile,
} from '../../src-main/evaluation/index.ts';
import { randomOf } from '../../src-main/lib/index.ts';
import { shuffled } from './random.ts';
import { readAll, type BuggyRepository } from './repositories.ts';

const IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';
const WORKDIR = '/workspace';
const MINUTE = 60_000;

const [count = '200', input = '', output = ''] = process.argv.slice(2);
await writeAll(Number(count));

async function writeAll(most: number): Promise<void> {
  await mkdir(output, { recursive: true });
  const seen = new Set<string>();
  const all = await readAll<BuggyRepository>(input);
  for (const repository of shuffled(randomOf(1), all)) {
    if (seen.size === most) break;
    // The same bug in the same text twice would count double.
    const text = repository.files[repository.module] ?? '';
    if (seen.has(text) || repository.test === null) continue;
    seen.add(text);
    await write(repository, repository.test);
  }
  process.stdout.write(`tasks: ${seen.size}\n`);
}

async function write(repository: BuggyRepository, test: string): Promise<void> {
  const tree = Object.entries(repository.files).map(([name, text]) => file(name, text));
  const { module, good, files } = repository;
  // A fix may make a loop without end: that is a wrong fix, and no reason to wait.
  const command = 'timeout 20 python3 -m pytest -q';
  await writeTask(output, {
    name: repository.id,
    instruction: repository.issue,
    image: IMAGE,
    workdir: WORKDIR,
    tree,
    tests: await commandVerifier({
      workdir: WORKDIR,
      command,
      files: { [test]: files[test] ?? '' },
      judgedBy: 'exit-code',
    }),
    fix: await fixOf(tree, [
      { path: module, kind: 'file', executable: false, content: Buffer.from(good) },
    ]),
    expected: null,
    verifier: {
      on: 'patch',
      timeoutMs: MINUTE,
      reader: { kind: 'reward' },
      protect: [test, ...judgeGlobs(command, Object.keys(files))],
    },
    agentTimeoutMs: 10 * MINUTE,
    source: { kind: 'synthetic', functionKind: repository.kind, mutator: repository.method },
  });
}

function file(name: string, text: string): TreeFile {
  return { path: name, mode: '100644', content: Buffer.from(text) };
}
