import { copyFile, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  configFlag,
  configValues,
  formatOf,
  GitFailure,
  makeGitDir,
  objectContents,
  revParse,
} from '../git/index.ts';
import type { GitOptions, ObjectFormat } from '../git/index.ts';
import { messageOf, VivariumError } from '../lib/index.ts';

/** What is known of the user's repository after a look that wrote nothing. */
export interface Repository {
  /** Real path of the top level. */
  top: string;
  /** Of this working tree. */
  gitDir: string;
  /** Shared by all working trees; same as `gitDir` in the usual case. */
  commonDir: string;
  head: string;
  format: ObjectFormat;
  /** `core.fileMode`: the execute bit of the files counts. */
  trustModes: boolean;
  /** `core.symlinks`: links are links and not small text files. */
  trustLinks: boolean;
}

/**
 * Finds the repository a folder is in. Throws VivariumError `repo_not_found`, `repo_not_git`,
 * `repo_bare`, `repo_empty`, `repo_unreadable` with the cause in one line.
 */
export async function findRepository(path: string, signal?: AbortSignal): Promise<Repository> {
  const start = await existingFolder(path);
  const options = await trustedOptions(start, signal);
  const top = await realpath(await topLevel(start, options));
  const at = { ...options, cwd: top };
  const [gitDir, commonDir, head, fileMode, symlinks] = await Promise.all([
    revParse(['--absolute-git-dir'], at),
    revParse(['--path-format=absolute', '--git-common-dir'], at),
    headOf(top, at),
    configFlag('core.fileMode', at),
    configFlag('core.symlinks', at),
  ]);
  return {
    top,
    gitDir,
    commonDir,
    head,
    format: formatOf(head),
    trustModes: fileMode ?? true,
    trustLinks: symlinks ?? true,
  };
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch((fault: unknown) => {
    const denied = fault instanceof Error && 'code' in fault && fault.code === 'EACCES';
    throw denied
      ? unreadable(`No permission to look into ${path}.`, fault)
      : new VivariumError(
          'repo_not_found',
          `There is no folder ${path}.`,
          'Give the path of a git repository.',
          fault,
        );
  });
  if (found.isDirectory()) return realpath(path);
  throw new VivariumError(
    'repo_not_found',
    `${path} is not a folder.`,
    'Give the path of the folder that holds the git repository.',
  );
}

/** Options with which git may look at the folder; settles who may own it. */
async function trustedOptions(cwd: string, signal: AbortSignal | undefined): Promise<GitOptions> {
  const plain: GitOptions = { cwd, signal };
  try {
    await revParse(['--git-dir'], plain);
    return plain;
  } catch (fault) {
    if (!(fault instanceof GitFailure)) throw fault;
    const doubted = /dubious ownership in repository at '(.*)'/s.exec(fault.stderr)?.[1];
    if (doubted === undefined) throw refusalOf(cwd, fault);
    if (await isTrustedByUser(doubted, signal)) {
      return { ...plain, config: [`safe.directory=${doubted}`] };
    }
    throw unreadable(
      `${doubted} belongs to another user, so git does not trust it (dubious ownership).`,
      fault,
      `If you trust it: git config --global --add safe.directory '${doubted}'`,
    );
  }
}

/** The user's own list of trusted folders is the one setting of theirs that counts here. */
async function isTrustedByUser(folder: string, signal: AbortSignal | undefined): Promise<boolean> {
  const home = process.env.HOME;
  if (home === undefined || home === '') return false;
  const files = [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')];
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    const values = await configValues('safe.directory', { cwd: '/', signal, configFile: file });
    if (values.some((value) => value === '*' || value === folder)) return true;
  }
  return false;
}

async function topLevel(cwd: string, options: GitOptions): Promise<string> {
  try {
    return await revParse(['--show-toplevel'], options);
  } catch (fault) {
    if (!(fault instanceof GitFailure)) throw fault;
    const bare = await revParse(['--is-bare-repository'], options);
    throw bare === 'true' ? bareRefusal(cwd, fault) : insideRefusal(cwd, fault);
  }
}

async function headOf(top: string, options: GitOptions): Promise<string> {
  try {
    return await revParse(['--verify', '--end-of-options', 'HEAD'], options);
  } catch (fault) {
    if (!(fault instanceof GitFailure)) throw fault;
    throw new VivariumError(
      'repo_empty',
      `${top} has no commit yet.`,
      'Make a first commit, then start again.',
      fault,
    );
  }
}

function refusalOf(cwd: string, fault: GitFailure): VivariumError {
  if (/safe\.bareRepository/i.test(fault.stderr)) {
    const inside = cwd.split('/').includes('.git');
    return inside ? insideRefusal(cwd, fault) : bareRefusal(cwd, fault);
  }
  if (/not a git repository/i.test(fault.stderr)) {
    return new VivariumError(
      'repo_not_git',
      `${cwd} is not inside a git repository.`,
      'Give the path of a git repository, or make one there with `git init` and a first commit.',
      fault,
    );
  }
  return unreadable(`The repository at ${cwd} cannot be read: ${messageOf(fault)}`, fault);
}

function bareRefusal(cwd: string, fault: unknown): VivariumError {
  return new VivariumError(
    'repo_bare',
    `${cwd} is a bare repository: it has no working tree.`,
    'Clone it and give the path of the clone.',
    fault,
  );
}

function insideRefusal(cwd: string, fault: unknown): VivariumError {
  return new VivariumError(
    'repo_not_git',
    `${cwd} is inside a .git folder.`,
    'Give the path of the working tree.',
    fault,
  );
}

function unreadable(message: string, fault: unknown, next?: string): VivariumError {
  return new VivariumError(
    'repo_unreadable',
    message,
    next ?? 'Check with `git status` and `git fsck` in the repository, then start again.',
    fault,
  );
}

/**
 * A git folder of ours at `dir` that sees the objects, the index and the ignore rules of the user's
 * repository, but none of its configuration, hooks or refs. Only for verbs that write no object.
 */
export async function makeReader(
  repository: Repository,
  dir: string,
  signal?: AbortSignal,
): Promise<GitOptions> {
  await makeGitDir(dir, repository.format);
  const names = await readdir(repository.gitDir);
  const parts = names.filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  await Promise.all(
    parts.map((name) => copyFile(join(repository.gitDir, name), join(dir, name))),
  );
  await copyIfThere(join(repository.commonDir, 'info', 'exclude'), join(dir, 'info', 'exclude'));
  await copyIfThere(join(repository.commonDir, 'shallow'), join(dir, 'shallow'));
  await mkdir(join(dir, 'objects'), { recursive: true });
  return {
    cwd: repository.top,
    gitDir: dir,
    workTree: repository.top,
    indexFile: join(dir, 'index'),
    alternates: [join(repository.commonDir, 'objects')],
    errorCode: 'repo_unreadable',
    signal,
  };
}

/** Copies a small regular file; what is not there is not copied. */
export async function copyIfThere(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile() === true && found.size < 1024 * 1024 * 16) await copyFile(from, to);
}

/** Seconds since 1970 of a commit's committer line. */
export async function commitSeconds(commit: string, options: GitOptions): Promise<number> {
  for await (const content of objectContents([commit], options)) {
    if (content === undefined) break;
    const header = Buffer.from(content).toString('latin1').split('\n\n')[0] ?? '';
    const seconds = /^committer .* (-?\d+) [+-]\d{4}$/m.exec(header)?.[1];
    if (seconds !== undefined) return Math.max(0, Number(seconds));
  }
  throw unreadable(`Commit ${commit} cannot be read.`, undefined);
}

/** Content of a small text file, or `undefined`. */
export async function textIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
