import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { applyToIndex, importCommit, readTree } from '../git/index.ts';
import type { ImportItem } from '../git/index.ts';
import { makeFolder, visible, VivariumError } from '../lib/index.ts';
import { fileReader } from './file-reader.ts';
import type { FileReader, FoundFile } from './file-reader.ts';
import { parsePatch } from './patch-parser.ts';
import type { ParsedFile } from './patch-parser.ts';
import { pathProblem } from './path-check.ts';
import { findRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import { withScratch } from './scratch.ts';
import type { Scratch } from './scratch.ts';
import { snapshotsFolder } from './snapshot-folder.ts';
import { START_AUTHOR } from './snapshot.ts';

/** Whether a patch applies to the user's working tree as it is now. */
export interface ApplyCheck {
  applies: boolean;
  /** For people; why not, or `null` when it applies. Hidden characters are made visible. */
  detail: string | null;
}

/**
 * Checks without writing anything to the user's repository: the touched files are read as they are
 * now and the patch is applied to a copy of them. A repository that is gone or broken by now is an
 * answer, too. `home` is `VIVARIUM_HOME`, for scratch files. Throws `patch_invalid` for bytes that are no patch.
 */
export async function checkApplies(
  patch: Uint8Array,
  repositoryPath: string,
  options: { home: string; signal?: AbortSignal | undefined },
): Promise<ApplyCheck> {
  const files = parsePatch(patch);
  const repository = await repositoryNow(repositoryPath, options.signal);
  if (typeof repository === 'string') return refused(repository);
  const bad = files.find(({ path }) => pathProblem(path) !== undefined);
  if (bad !== undefined) return refused(`${bad.path}: ${pathProblem(bad.path) ?? ''}`);
  // Below the home, where `vivarium clean` finds what a killed process left behind.
  await makeFolder(snapshotsFolder(options.home), 0o700);
  const parent = await mkdtemp(join(snapshotsFolder(options.home), '.apply-'));
  try {
    const scope = { parent, format: repository.format, alternates: [], signal: options.signal };
    return await withScratch(scope, (scratch) => check(patch, files, repository.top, scratch));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function repositoryNow(
  path: string,
  signal: AbortSignal | undefined,
): Promise<Repository | string> {
  try {
    return await findRepository(path, signal);
  } catch (fault) {
    if (fault instanceof VivariumError && fault.code.startsWith('repo_')) return fault.message;
    throw fault;
  }
}

async function check(
  patch: Uint8Array,
  files: readonly ParsedFile[],
  top: string,
  scratch: Scratch,
): Promise<ApplyCheck> {
  const read = fileReader(top);
  const items: ImportItem[] = [];
  for (const file of files) {
    const obstacle = await obstacleOf(file, files, read);
    if (obstacle !== undefined) return refused(obstacle);
    const item = itemOf(file.path, await read(file.path));
    if (item !== undefined) items.push(item);
  }
  const branch = 'refs/heads/main';
  const author = { ...START_AUTHOR, seconds: 0 };
  await importCommit({ branch, author, message: '', items }, scratch.git);
  const place = { ...scratch.git, indexFile: scratch.indexFile() };
  await readTree(branch, place);
  const refusal = await applyToIndex(patch, { ...place, check: true });
  return refusal === undefined ? { applies: true, detail: null } : refused(said(refusal));
}

/** What an index does not know: folders, and things on the way that are none. */
async function obstacleOf(
  file: ParsedFile,
  files: readonly ParsedFile[],
  read: FileReader,
): Promise<string | undefined> {
  const { path } = file;
  const goes = new Set(files.filter(({ status }) => status === 'deleted').map((gone) => gone.path));
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const parent = path.slice(0, slash);
    const { kind } = await read(parent);
    if (kind === 'missing') break;
    if (kind !== 'folder' && !goes.has(parent)) return `${parent} is not a folder any more`;
  }
  const now = await read(path);
  if (now.kind === 'refused') return `${path} cannot be read: ${now.reason}`;
  const becomesFile = file.status === 'added' && now.kind === 'folder';
  if (becomesFile && ![...goes].some((gone) => gone.startsWith(`${path}/`))) {
    return `${path} is a folder now`;
  }
  return undefined;
}

function itemOf(path: string, now: FoundFile): ImportItem | undefined {
  if (now.kind === 'symlink') return { path, mode: '120000', content: now.content };
  if (now.kind !== 'file' && now.kind !== 'large') return undefined;
  const mode = now.executable ? '100755' : '100644';
  if (now.kind === 'file') return { path, mode, content: now.content };
  return { path, mode, size: now.size, chunks: now.chunks() };
}

function refused(detail: string): ApplyCheck {
  return { applies: false, detail: visible(detail) };
}

function said(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => line.startsWith('error: '))
    .map((line) => line.slice('error: '.length));
  if (lines.length === 0) return stderr.slice(0, 500);
  const more = lines.length > 5 ? [`and ${lines.length - 5} more`] : [];
  return [...lines.slice(0, 5), ...more].join('; ').slice(0, 2000);
}
