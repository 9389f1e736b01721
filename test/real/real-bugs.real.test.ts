import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionResultSchema, type SessionResult } from '../../src-main/contract/index.ts';
import { buildRepository, git, readBugs, type RealBug } from './build-repository.ts';
import { containersOf, fingerprint, processesNaming } from './leftovers.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMAND = path.join(ROOT, 'scripts', 'vivarium.mjs');
/** The base image with the packages that the tests of the six releases import. */
const IMAGE = process.env['VIVARIUM_REAL_IMAGE'] ?? 'vivarium-test:latest';

/** The one source file that each fix touches. */
const FIXED_FILES: Record<string, string> = {
  'pathspec-84': 'pathspec/pathspec.py',
  'pyflakes-print': 'pyflakes/checker.py',
  'pyjwt-issuer': 'jwt/api_jwt.py',
  'marshmallow-2245': 'src/marshmallow/schema.py',
  'itsdangerous-296': 'src/itsdangerous/timed.py',
  'sqlparse-262': 'sqlparse/filters/others.py',
};

const bugs = await readBugs();

let folder: string;

beforeEach(async () => {
  // A blank and a quote in the path: neither may matter (W04).
  folder = await mkdtemp(path.join(tmpdir(), "vivarium real's "));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the command as a person would, with its own data and temporary folders. */
async function fix(bug: RealBug, repository: string, tests: string[]) {
  const temporary = path.join(folder, 'tmp');
  await mkdir(temporary);
  const source = FIXED_FILES[bug.id]?.startsWith('src/') ? 'PYTHONPATH=src ' : '';
  const args = [
    ...['fix', '--repo', repository, '--issue', bug.issue, '--image', IMAGE],
    ...['--model', `script:${path.join(import.meta.dirname, 'scripts', `${bug.id}.jsonl`)}`],
    ...['--verify', `${source}python3 -m pytest ${tests.join(' ')}`],
    ...['--json', '--out', path.join(folder, 'out')],
  ];
  const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, ...args], {
    env: { VIVARIUM_HOME: path.join(folder, 'home'), TMPDIR: temporary },
    cwd: folder,
    reject: false,
    timeout: 300_000,
  });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  const result = sessionResultSchema.parse(JSON.parse(stdout));
  return { result, temporary };
}

function checkVerification(bug: RealBug, { verification }: SessionResult): void {
  const statusOf = (run: 'before' | 'after') =>
    verification?.[run].tests.find(({ name }) => name === bug.test)?.status;
  const passes = (run: 'before' | 'after') =>
    verification?.[run].tests.filter(({ status }) => status === 'passed').length;
  expect(verification).toMatchObject({
    passed: true,
    regressions: [],
    fixed: [bug.test],
    restored: [],
    before: { passed: false, runner: 'pytest' },
    after: { passed: true, exitCode: 0, runner: 'pytest' },
  });
  expect([statusOf('before'), statusOf('after')]).toEqual(['failed', 'passed']);
  // The counts that `real-bugs.json` measured: no other test of the changed files is lost.
  expect(passes('before')).toBe(bug.passToPass);
  expect(passes('after')).toBe(bug.passToPass + bug.failToPass);
  expect(verification?.after.tests.length).toBe(verification?.before.tests.length);
}

/** The patch applies to the tree it was made for, and changes what it says, in a copy. */
async function checkPatch(bug: RealBug, result: SessionResult, repository: string) {
  const file = result.patch?.file ?? 'no patch file';
  const fixed = FIXED_FILES[bug.id];
  expect(result.patch?.files.map(({ path: name, status }) => [name, status])).toEqual([
    [fixed, 'modified'],
  ]);
  const copy = path.join(folder, 'copy');
  await cp(repository, copy, { recursive: true, preserveTimestamps: true });
  await git(copy, 'apply', '--check', file);
  await git(copy, 'apply', file);
  expect(await git(copy, 'status', '--porcelain')).toBe(` M ${fixed}`);
  const exported = await readdir(path.dirname(file));
  const name = path.basename(file, '.patch');
  expect(exported.toSorted()).toEqual(
    [`${name}.json`, `${name}.patch`, `${name}.trajectory.json`].toSorted(),
  );
  for (const json of exported.filter((entry) => entry.endsWith('.json'))) {
    JSON.parse(await readFile(path.join(path.dirname(file), json), 'utf8'));
  }
}

describe('real bugs of released packages', () => {
  it.each(bugs)('$id: $package $buggy is fixed, verified and exported', async (bug) => {
    const { repository, tests } = await buildRepository(bug, folder);
    expect(tests).toContain(bug.test.split('::')[0]);
    const before = await fingerprint(repository);

    const { result, temporary } = await fix(bug, repository, tests);

    expect(result).toMatchObject({ outcome: 'verified', attempts: [{ exitReason: 'agent' }] });
    checkVerification(bug, result);
    await checkPatch(bug, result, repository);
    expect(await fingerprint(repository)).toBe(before);
    expect(await containersOf(result.sessionId)).toEqual([]);
    expect(await processesNaming(folder)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
