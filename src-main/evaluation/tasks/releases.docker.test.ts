import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBench, type Bench } from '../../../test/support/workspaces.ts';
import { appFolder } from '../../lib/index.ts';
import { withJudge } from './open-judge.ts';
import { readReleaseBugs, taskFromReleases } from './releases.ts';
import { benchParts } from './testing.ts';
import { unpackTree } from './unpack-tree.ts';

const LIST = path.join(appFolder(), 'test/real/real-bugs.json');
const SDISTS = path.join(appFolder(), '.cache/sdists');
const IMAGE = process.env['VIVARIUM_REAL_IMAGE'] ?? 'vivarium-test:latest';

/** Of all tests that the changed files hold, as `real-bugs.json` measured them. */
const bugs = await readReleaseBugs(LIST);
const measured = JSON.parse(await readFile(LIST, 'utf8')) as {
  bugs: { id: string; test: string; failToPass: number; passToPass: number }[];
};

/** Tests that are expected to fail and do, before and after: `real-bugs.json` does not count them. */
const EXPECTED_FAILURES: Readonly<Record<string, number>> = { 'sqlparse-262': 2 };

/** The source file that each fix is in. */
const FIXED_FILES: Readonly<Record<string, string>> = {
  'pathspec-84': 'pathspec/pathspec.py',
  'pyflakes-print': 'pyflakes/checker.py',
  'pyjwt-issuer': 'jwt/api_jwt.py',
  'marshmallow-2245': 'src/marshmallow/schema.py',
  'itsdangerous-296': 'src/itsdangerous/timed.py',
  'sqlparse-262': 'sqlparse/filters/others.py',
};

let bench: Bench;
let out: string;
beforeAll(async () => {
  bench = await openBench();
  out = await mkdtemp(path.join(tmpdir(), 'releases-'));
});
afterAll(async () => {
  await bench.dispose();
  await rm(out, { recursive: true, force: true });
});

describe.skipIf(!existsSync(SDISTS))('tasks from releases (sdists in .cache)', () => {
  it.each(bugs)('$id: the lists are those that were measured', async (bug) => {
    const { task, found } = await withJudge(benchParts(bench), ({ patch: judge }) =>
      taskFromReleases({ bug, sdists: SDISTS, out, image: IMAGE, judge }),
    );
    const known = measured.bugs.find(({ id }) => id === bug.id);
    expect(task.expected?.failToPass).toEqual([known?.test]);
    expect(task.expected?.passToPass).toHaveLength(
      (known?.passToPass ?? -1) + (EXPECTED_FAILURES[bug.id] ?? 0),
    );
    expect(found).toMatchObject({ broken: [], hidden: [] });
    // Hidden tests are not in the tree.
    const [file = ''] = (known?.test ?? '').split('::');
    const hidden = await readFile(path.join(task.folder, 'tests/files', file));
    const names: string[] = [];
    for await (const entry of unpackTree(task.tree.kind === 'archive' ? task.tree.file : '')) {
      names.push(entry.path);
      if (entry.path === file) expect(hidden.equals(entry.content)).toBe(false);
    }
    expect(names).toContain(FIXED_FILES[bug.id]);
    expect(await readFile(path.join(task.folder, 'solution/fix.patch'), 'utf8')).toContain(
      `+++ b/${FIXED_FILES[bug.id]}\n`,
    );
  });
});
