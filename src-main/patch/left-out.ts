import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { ignoreRules, objectContents } from '../git/index.ts';
import type { GitOptions, IgnoreRule } from '../git/index.ts';
import type { BaseFiles } from './base-files.ts';
import { buildOutputFinder } from './build-output.ts';
import { pathProblem } from './path-check.ts';
import type { Scratch } from './scratch.ts';
import { SUBMODULE } from './snapshot-plan.ts';
import type { Change, LeftOut, Snapshot } from './types.ts';

type Written = Exclude<Change, { kind: 'deleted' }>;

/**
 * Splits changes into those for the patch and those to leave out: new files inside a submodule, new
 * build output, and new files that the ignore rules of the base match (those of the workspace do not
 * count). What `include` names is taken. Changes of files the base has always stay.
 */
export async function sortOut(
  changes: readonly Change[],
  base: BaseFiles,
  snapshot: Snapshot,
  scratch: Scratch,
  include: readonly string[],
): Promise<{ kept: Change[]; leftOut: LeftOut[] }> {
  const globs = include.map((glob) => glob.replace(/^(\.\/)+/, ''));
  const isIncluded = picomatch([...globs, ...globs.map(belowFolder)], { dot: true });
  const inSubmodule = submoduleFinder(snapshot);
  const groups = new LeftOutGroups();
  const kept: Change[] = [];
  const fresh: Written[] = [];
  for (const change of changes) {
    if (change.kind === 'deleted' || base.has(change.path)) kept.push(change);
    else fresh.push(change);
  }
  const buildOutput = buildOutputFinder(fresh);
  const toAsk: Written[] = [];
  for (const change of fresh) {
    const submodule = inSubmodule(change.path);
    const output = buildOutput(change.path);
    if (submodule !== undefined)
      groups.add(submodule, change.path, 'inside a submodule, which is not part of the snapshot');
    else if (include.length > 0 && isIncluded(change.path)) kept.push(change);
    else if (output !== undefined) groups.add(output, change.path, 'build output');
    else toAsk.push(change);
  }
  const rules = await rulesOf(toAsk, base, snapshot, scratch);
  for (const change of toAsk) {
    const found = rules(change.path);
    if (found === undefined) kept.push(change);
    else groups.add(found.at, change.path, reasonOf(found.rule));
  }
  return { kept, leftOut: groups.list() };
}

function belowFolder(glob: string): string {
  return `${glob.replace(/\/+$/, '')}/**`;
}

function reasonOf(rule: IgnoreRule): string {
  // Outside the working tree git names the one file there is with its full path.
  const source = rule.source.startsWith('/') ? '.git/info/exclude' : rule.source;
  return `ignored by ${source} line ${rule.line} (${rule.pattern})`;
}

function submoduleFinder(snapshot: Snapshot): (path: string) => string | undefined {
  const roots = snapshot.notCarried
    .filter(({ reason }) => reason.startsWith(SUBMODULE))
    .map(({ path }) => `${path}/`);
  return (path) => roots.find((root) => path.startsWith(root) || `${path}/` === root);
}

/** Left-out files, those below one folder with one reason as one line. */
class LeftOutGroups {
  readonly #groups = new Map<string, { at: string; reason: string; paths: string[] }>();

  add(at: string, path: string, reason: string): void {
    const key = `${at}\0${reason}`;
    const group = this.#groups.get(key) ?? { at, reason, paths: [] };
    group.paths.push(path);
    this.#groups.set(key, group);
  }

  list(): LeftOut[] {
    return [...this.#groups.values()].map(({ at, reason, paths }) => {
      const [only] = paths;
      if (paths.length === 1 && only !== undefined) return { path: only, reason };
      return { path: at, reason: `${reason} (${paths.length} files)` };
    });
  }
}

type RuleFinder = (path: string) => { rule: IgnoreRule; at: string } | undefined;

/** Git's own judgement in a folder that holds nothing but the ignore files of the base. */
async function rulesOf(
  files: readonly Written[],
  base: BaseFiles,
  snapshot: Snapshot,
  scratch: Scratch,
): Promise<RuleFinder> {
  if (files.length === 0) return () => undefined;
  const workTree = join(scratch.folder, 'rules');
  await mkdir(workTree);
  await placeIgnoreFiles(workTree, base, snapshot, scratch.git);
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  // Rules for folders only apply to what is seen to be one. Where one cannot be made (too long, or
  // named like an ignore file of the base), git judges by the name alone.
  for (const folder of folders) {
    await mkdir(join(workTree, folder), { recursive: true }).catch(() => undefined);
  }
  const asked = [...files.map(({ path }) => path), ...folders];
  const place: GitOptions = { ...scratch.git, cwd: workTree, workTree };
  const answers = await ignoreRules(asked, { ...place, indexFile: scratch.indexFile() });
  const rules = new Map(asked.map((path, at) => [path, answers[at]]));
  return (path) => {
    const rule = rules.get(path);
    if (rule === undefined) return undefined;
    const folder = foldersOf(path).find((candidate) => rules.get(candidate) !== undefined);
    return { rule, at: folder === undefined ? path : `${folder}/` };
  };
}

/** The folders a path lies in, outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

const MAX_IGNORE_FILES = 5000;

async function placeIgnoreFiles(
  workTree: string,
  base: BaseFiles,
  snapshot: Snapshot,
  git: GitOptions,
): Promise<void> {
  const files = [...base]
    .filter(([path, { mode }]) => /(^|\/)\.gitignore$/.test(path) && mode !== '120000')
    .filter(([path]) => pathProblem(path) === undefined)
    .slice(0, MAX_IGNORE_FILES);
  const contents = objectContents(
    files.map(([, { id }]) => id),
    git,
  );
  for (const [path] of files) {
    const next = await contents.next();
    if (next.done === true || next.value === undefined) break;
    await mkdir(dirname(join(workTree, path)), { recursive: true });
    await writeFile(join(workTree, path), next.value);
  }
  await contents.return();
  const exclude = join(snapshot.gitDir, 'info', 'exclude');
  const found = await stat(exclude).catch(() => undefined);
  if (found?.isFile() === true && git.gitDir !== undefined) {
    await copyFile(exclude, join(git.gitDir, 'info', 'exclude'));
  }
}
