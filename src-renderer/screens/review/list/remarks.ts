import type { Review } from '../../../../src-main/contract/index.ts';
import type { NoteDraft } from '../review-context.ts';
import type { Flag, Note } from './rows.ts';

/** What stands below a line of the new file, or (`null`) at the head of the file. */
export interface Remarks {
  flags: Flag[];
  notes: Note[];
  /** A new note is being written here. */
  draft: boolean;
}

export type FileRemarks = ReadonlyMap<number | null, Remarks>;

/** Flags, notes and the note that is being written, by file and line. */
export function remarksOf(review: Review, draft: NoteDraft | null): Map<number, FileRemarks> {
  const fileAt = new Map(review.files.map(({ path }, index) => [path, index]));
  const all = new Map<number, Map<number | null, Remarks>>();
  const at = (path: string, line: number | null): Remarks | undefined => {
    const file = fileAt.get(path);
    if (file === undefined) return undefined;
    const lines = all.get(file) ?? new Map<number | null, Remarks>();
    const remarks = lines.get(line) ?? { flags: [], notes: [], draft: false };
    all.set(file, lines.set(line, remarks));
    return remarks;
  };
  for (const flag of review.flags) at(flag.path, flag.line)?.flags.push(flag);
  for (const note of review.notes) at(note.path, note.line)?.notes.push(note);
  const drafted = draft === null || draft.id !== null ? undefined : at(draft.path, draft.line);
  if (drafted !== undefined) drafted.draft = true;
  return all;
}
