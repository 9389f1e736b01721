/**
 * Puts bugs into small repositories: `bugs.ts SEED PYTHON IN OUT`. The bugs are those of our own
 * `mutate`; the first that the tests notice is taken. Where there are no tests, the first of all.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { randomOf } from '../../src-main/lib/index.ts';
import type { SourceTree } from '../../src-main/synthesis/index.ts';
import { mutate } from '../../src-main/synthesis/index.ts';
import { differingLines } from './edit.ts';
import { issueOf, type Symptom } from './issue.ts';
import { readLines, type BuggyRepository, type Repository } from './repositories.ts';

/** Bugs tried on one repository before it is left out. */
const MOST_TRIES = 12;

type Verdicts = (string | null)[];

const [seed = '1', python = 'python3', input = '', output = ''] = process.argv.slice(2);
await putBugs(Number(seed));

async function putBugs(start: number): Promise<void> {
  const judge = openJudge();
  const out = createWriteStream(output);
  const random = randomOf(start);
  let all = 0;
  let made = 0;
  for await (const repository of readLines<Repository>(input)) {
    all += 1;
    const buggy = await withBug(repository, random, judge.ask);
    if (buggy === null) continue;
    made += 1;
    out.write(`${JSON.stringify(buggy)}\n`);
  }
  judge.end();
  await new Promise((done) => out.end(done));
  process.stdout.write(`bugs: ${made} of ${all} repositories\n`);
}

async function withBug(
  repository: Repository,
  random: () => number,
  ask: (job: object) => Promise<Verdicts>,
): Promise<BuggyRepository | null> {
  const good = repository.files[repository.module] ?? '';
  let tries = 0;
  const context = {
    tree: treeOf(repository, good),
    coverage: null,
    signal: AbortSignal.timeout(60_000),
  };
  for await (const candidate of mutate({ ...context, seed: Math.floor(random() * 2 ** 31) })) {
    if (candidate.places[0]?.symbol?.split('.')[0] !== repository.function) continue;
    if ((tries += 1) > MOST_TRIES) return null;
    const bad = Buffer.from(candidate.changes[0]?.after?.content ?? '').toString();
    if (!isOneLine(bad, good)) continue;
    const files = { ...repository.files, [repository.module]: bad };
    const symptom =
      repository.test === null ? null : await symptomOf({ ...repository, files }, ask);
    if (symptom === undefined) continue;
    const told = issueOf(random, repository, symptom);
    return { ...repository, files, good, method: candidate.method, ...told };
  }
  return null;
}

/**
 * Whether one line differs that still says something. What was taken away as a whole can only be put
 * back by who knows the function, which a small model does of none but those it learnt by heart.
 */
function isOneLine(bad: string, good: string): boolean {
  if (bad.split('\n').length !== good.split('\n').length) return false;
  const [first, ...more] = differingLines(bad, good);
  return first !== undefined && more.length === 0 && first.line.trim() !== 'pass';
}

/** `undefined` = no test notices the bug, or it never comes to an end. */
async function symptomOf(
  { files, module, cases }: Repository,
  ask: (job: object) => Promise<Verdicts>,
): Promise<Symptom | undefined> {
  const verdicts = await ask({ files, module, cases });
  if (verdicts.includes('hangs')) return undefined;
  const at = verdicts.findIndex((verdict) => verdict !== null);
  const [call, expected] = cases[at] ?? [];
  const does = verdicts[at];
  return call === undefined || expected === undefined || !does
    ? undefined
    : { call, expected, does };
}

/** Only the module: a bug in a neighbour or in the tests is another task. */
function treeOf(repository: Repository, good: string): SourceTree {
  const { module, id } = repository;
  const file = { path: module, mode: '100644' as const, content: Buffer.from(good) };
  return { repository: id, commit: '', files: new Map([[module, file]]) };
}

function openJudge() {
  const script = path.join(import.meta.dirname, 'judge.py');
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(job: object): Promise<Verdicts> {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const answer = await answers.next();
      if (answer.done) throw new Error('the judge ended');
      // Written by judge.py.
      return JSON.parse(answer.value) as Verdicts;
    },
    end: () => child.stdin.end(),
  };
}
