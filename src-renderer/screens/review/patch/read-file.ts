import gitDiffParser, { type Change, type Hunk } from 'gitdiff-parser';
import type { ReviewFile } from '../../../../src-main/contract/index.ts';

/** A file of the patch as it is drawn. */
export interface ReadFile {
  hunks: ReadHunk[];
  /** Every line ends with a carriage return, so it is said once instead of shown on each line. */
  crlf: boolean;
  /** `true` = there is a line feed at the end of the file, before and after. */
  endings: { before: boolean; after: boolean };
  modes: { before: string | null; after: string | null };
}

export interface ReadHunk {
  /** Id of the piece that is decided on, as the core names it. */
  unit: string;
  header: string;
  changes: Change[];
}

const SYMLINK_MODE = '120000';

/** Reads the text of a file's part of the patch; what cannot be read has no hunks. Throws nothing. */
export function readFile(file: ReviewFile, index: number): ReadFile {
  const entries = parsed(file.text);
  const hunks = entries.flatMap((entry) => entry.hunks);
  const endings = {
    before: entries.every(({ oldEndingNewLine }) => oldEndingNewLine),
    after: entries.every(({ newEndingNewLine }) => newEndingNewLine),
  };
  const crlf = allEndInCr(hunks, !endings.before || !endings.after);
  return {
    hunks: hunks.map((hunk, at) => ({
      unit: file.hunks.length === 1 ? (file.hunks[0]?.id ?? String(index)) : `${index}.${at}`,
      header: hunk.content,
      changes: crlf ? hunk.changes.map(withoutCr) : hunk.changes,
    })),
    crlf,
    endings,
    modes: modesOf(file.text),
  };
}

/** Whether a mode is that of a symbolic link. */
export function isSymlinkMode(mode: string | null): boolean {
  return mode === SYMLINK_MODE;
}

/** Line of a change in the new file; `null` for a line that is gone. */
export function newLineOf(change: Change): number | null {
  if (change.type === 'delete') return null;
  return change.type === 'insert' ? change.lineNumber : change.newLineNumber;
}

/** Key of a change within its file, as the drawing library counts. */
export function keyOf(change: Change): string {
  if (change.type === 'normal') return `N${change.oldLineNumber}`;
  return `${change.type === 'insert' ? 'I' : 'D'}${change.lineNumber}`;
}

function parsed(text: string): ReturnType<typeof gitDiffParser.parse> {
  if (!text.startsWith('diff --git ')) return [];
  try {
    return gitDiffParser.parse(text);
  } catch {
    // A form that the parser does not know is still listed, decided on and exported by the core.
    return [];
  }
}

/**
 * Modes by git's own lines, since the parser keeps none for a change of mode alone. Lines of the file
 * itself begin with another sign.
 */
function modesOf(text: string): ReadFile['modes'] {
  const mode = (words: string) =>
    new RegExp(`^(?:${words}) (\\d{6})$`, 'm').exec(text)?.[1] ?? null;
  const kept = /^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})$/m.exec(text)?.[1] ?? null;
  return {
    before: mode('old mode|deleted file mode') ?? kept,
    after: mode('new mode|new file mode') ?? kept,
  };
}

function allEndInCr(hunks: readonly Hunk[], mayLackEnd: boolean): boolean {
  let seen = 0;
  for (const { changes } of hunks) {
    for (const [at, { content }] of changes.entries()) {
      if (content.endsWith('\r')) seen += 1;
      // Only the very last line of a file may have no end at all.
      else if (!mayLackEnd || at < changes.length - 1) return false;
    }
  }
  return seen > 0;
}

function withoutCr(change: Change): Change {
  if (!change.content.endsWith('\r')) return change;
  return { ...change, content: change.content.slice(0, -1) };
}
