import { formsOf } from '../patch/forms.ts';
import { newLineOf } from '../patch/read-file.ts';
import { useReviewView } from '../review-context.ts';
import styles from './diff.module.css';
import type { FileRemarks, Remarks } from './remarks.ts';
import { RemarkCards } from './remark-cards.tsx';

/** What is said of a file as a whole, and remarks to lines that the patch does not show. */
export function AboutFile({ index, remarks }: { index: number; remarks: FileRemarks | undefined }) {
  const { review, read } = useReviewView();
  const file = review.files[index];
  if (file === undefined) return null;
  const own = read[index];
  const forms = formsOf(file, own);
  const shown = new Set(own?.hunks.flatMap(({ changes }) => changes.map(newLineOf)) ?? []);
  const here = [...(remarks ?? [])].flatMap(([line, given]): Array<[number | null, Remarks]> => {
    if (line !== null) return shown.has(line) ? [] : [[line, given]];
    // Flags of the file as a whole stand in its head and in the list of all.
    const rest = { ...given, flags: [] };
    return rest.notes.length > 0 || rest.draft ? [[line, rest]] : [];
  });
  if (forms.length === 0 && here.length === 0) return null;
  return (
    <div className={styles.about}>
      {forms.length > 0 && <p>{forms.join(' ')}</p>}
      {here.map(([line, given]) => (
        <RemarkCards key={line ?? 'file'} path={file.path} line={line} remarks={given} />
      ))}
    </div>
  );
}
