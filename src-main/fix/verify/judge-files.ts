import path from 'node:path';

/** Files that a command names, relative to the repository. */
export interface CommandFiles {
  /** Scripts that decide how the command ends: who edits one edits the judge. */
  judges: ReadonlySet<string>;
  /** All words that can be files; among them are programs under test. */
  named: ReadonlySet<string>;
  /** Folders that it changes into: Python looks for modules there. */
  folders: readonly string[];
}

/** Entry points of a project that only start things, and what is called after what it does. */
const JUDGE_NAME =
  /^((manage|setup)\.py|(run[-_]?)?(tests?|checks?|verify|validate|smoke|ci)([-_].*)?(\.\w+)?)$/i;
const SHELL_SCRIPT = /\.(sh|bash|zsh|bats)$/;

/**
 * Finds the files a shell command names, as far as its words tell: `cd DIR` is followed, variables
 * are not. A script that a `Makefile` or a package script calls in turn is not seen.
 */
export function filesOfCommand(command: string): CommandFiles {
  const judges = new Set<string>();
  const named = new Set<string>();
  const folders: string[] = [];
  let folder = '';
  for (const simple of command.split(/[;&|()\n]+/)) {
    const words = simple
      .split(/[\s'"=<>]+/)
      .filter((word) => word !== '' && !/^[A-Z_]+$/.test(word));
    if (words[0] === 'cd') {
      folder = path.posix.join(folder, words[1] ?? '');
      folders.push(`${folder.replace(/\/+$/, '')}/`);
      continue;
    }
    for (const [index, word] of words.entries()) {
      const file = path.posix.join(folder, word);
      named.add(file);
      const isProgram = index === 0 && word.includes('/');
      if (isProgram || SHELL_SCRIPT.test(word) || JUDGE_NAME.test(path.posix.basename(word))) {
        judges.add(file);
      }
    }
  }
  return { judges, named, folders };
}
