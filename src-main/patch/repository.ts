import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { configFlag, configValues, formatOf, GitFailure, revParse } from '../git/index.ts';
import type { GitOptions, ObjectFormat } from '../git/index.ts';
import { messageOf, visibleLine, VivariumError } from '../lib/index.ts';

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
  await refuseForeignTree(start, options, at);
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

/**
 * `core.worktree` of a foreign repository could name the user's home folder: what is read must be
 * the tree that `.git` lies in.
 */
async function refuseForeignTree(start: string, from: GitOptions, at: GitOptions): Promise<void> {
  const gitDir = await revParse(['--absolute-git-dir'], from);
  const fromTop = await revParse(['--absolute-git-dir'], at).catch((fault: unknown) => {
    if (fault instanceof GitFailure) return null;
    throw fault;
  });
  if (fromTop === gitDir) return;
  throw unreadable(
    `the repository at ${visibleLine(start)} names another folder as its working tree (core.worktree)`,
    undefined,
    'Give a clone of it, whose files lie beside its .git.',
  );
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch((fault: unknown) => {
    const denied = fault instanceof Error && 'code' in fault && fault.code === 'EACCES';
    throw denied
      ? unreadable(`no permission to look into ${visibleLine(path)}`, fault)
      : new VivariumError(
          'repo_not_found',
          `there is no folder ${visibleLine(path)}`,
          'Give the path of a git repository.',
          fault,
        );
  });
  if (found.isDirectory()) return realpath(path);
  throw new VivariumError(
    'repo_not_found',
    `${visibleLine(path)} is not a folder`,
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
    const doubted = /dubious ownership in repository at '(.*?)'\n/s.exec(fault.stderr)?.[1];
    if (doubted === undefined) throw refusalOf(cwd, fault);
    if (await isTrustedByUser(doubted, signal)) {
      return { ...plain, config: [`safe.directory=${doubted}`] };
    }
    throw unreadable(
      `${visibleLine(doubted)} belongs to another user, so git does not trust it (dubious ownership)`,
      fault,
      `If you trust it: git config --global --add safe.directory ${quoted(visibleLine(doubted))}`,
    );
  }
}

/** As one word of a POSIX shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** The list of trusted folders is the one setting of user and machine that counts here. */
async function isTrustedByUser(folder: string, signal: AbortSignal | undefined): Promise<boolean> {
  const home = process.env.HOME ?? '';
  const settings = process.env.XDG_CONFIG_HOME ?? join(home, '.config');
  const files = ['/etc/gitconfig', join(settings, 'git', 'config'), join(home, '.gitconfig')];
  let trusted = false;
  for (const file of files) {
    if (!isAbsolute(file) || !(await isFile(file))) continue;
    for (const value of await configValues('safe.directory', {
      cwd: '/',
      signal,
      configFile: file,
    })) {
      // As in git, an empty value takes back what came before.
      trusted = value !== '' && (trusted || isNamed(folder, value));
    }
  }
  return trusted;
}

function isNamed(folder: string, value: string): boolean {
  if (value === '*' || value === folder || value === `${folder}/`) return true;
  return value.endsWith('/*') && folder.startsWith(value.slice(0, -1));
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
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
      `${visibleLine(top)} has no commit yet`,
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
      `${visibleLine(cwd)} is not inside a git repository`,
      'Give the path of a git repository, or make one there with `git init` and a first commit.',
      fault,
    );
  }
  return unreadable(
    `the repository at ${visibleLine(cwd)} can't be read: ${messageOf(fault)}`,
    fault,
  );
}

function bareRefusal(cwd: string, fault: unknown): VivariumError {
  return new VivariumError(
    'repo_bare',
    `${visibleLine(cwd)} is a bare repository: it has no working tree`,
    'Clone it and give the path of the clone.',
    fault,
  );
}

function insideRefusal(cwd: string, fault: unknown): VivariumError {
  return new VivariumError(
    'repo_not_git',
    `${visibleLine(cwd)} is inside a .git folder`,
    'Give the path of the working tree.',
    fault,
  );
}

/** A refusal of a repository that is there but not to be read. */
export function unreadable(message: string, fault: unknown, next?: string): VivariumError {
  return new VivariumError(
    'repo_unreadable',
    message,
    next ?? 'Check with `git status` and `git fsck` in the repository, then start again.',
    fault,
  );
}
