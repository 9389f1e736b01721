import type { ReviewFile } from '../../../../src-main/contract/index.ts';
import { reviewText } from '../../../text/en/review.ts';
import { isSymlinkMode, type ReadFile } from './read-file.ts';

/** What the lines of a file's patch do not show by themselves, in words. */
export function formsOf(file: ReviewFile, read: ReadFile | undefined): string[] {
  const { forms } = reviewText;
  const said: string[] = [];
  if (file.kind === 'binary') said.push(forms.binary[file.status]);
  if (read === undefined) return said;
  const { before, after } = read.modes;
  if (file.kind === 'symlink') said.push(linkWords(file, read));
  else if (before !== null && after !== null && before !== after) {
    said.push(modeWords(before, after));
  } else if (file.status === 'added' && after === EXECUTABLE) said.push(forms.executable);
  if (file.status === 'renamed' && read.hunks.length === 0) said.push(forms.onlyRenamed);
  if (file.status === 'added' && isEmpty(file, read)) said.push(forms.empty);
  if (file.status === 'deleted' && isEmpty(file, read)) said.push(forms.emptyDeleted);
  said.push(...endingWords(file, read));
  if (file.cut) said.push(forms.cut);
  return said;
}

const EXECUTABLE = '100755';

function linkWords(file: ReviewFile, { modes }: ReadFile): string {
  const { forms } = reviewText;
  if (file.status === 'added') return forms.linkAdded;
  if (file.status === 'deleted') return forms.linkDeleted;
  if (isSymlinkMode(modes.before) && !isSymlinkMode(modes.after)) return forms.linkToFile;
  if (!isSymlinkMode(modes.before) && isSymlinkMode(modes.after)) return forms.fileToLink;
  return forms.linkMoved;
}

function modeWords(before: string, after: string): string {
  const { forms } = reviewText;
  if (before === EXECUTABLE) return forms.notExecutable;
  return after === EXECUTABLE ? forms.madeExecutable : forms.mode(before, after);
}

function isEmpty(file: ReviewFile, read: ReadFile): boolean {
  return file.kind === 'text' && read.hunks.length === 0;
}

function endingWords(file: ReviewFile, { endings, hunks, crlf }: ReadFile): string[] {
  const { forms } = reviewText;
  if (file.kind === 'symlink' || hunks.length === 0) return [];
  if (file.status === 'deleted') return crlf ? [forms.crlf] : [];
  const said = crlf ? [forms.crlf] : [];
  if (!endings.before && endings.after) said.push(forms.endingAdded);
  else if (endings.before && !endings.after) {
    said.push(file.status === 'added' ? forms.noEnding : forms.endingRemoved);
  } else if (!endings.before) said.push(forms.noEnding);
  return said;
}
