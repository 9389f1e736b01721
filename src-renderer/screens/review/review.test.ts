import { describe, expect, it } from 'vitest';
import type { Review, ReviewFile } from '../../../src-main/contract/index.ts';
import { exportWords } from './export/export-words.ts';
import { idsAt, nextChange, nextFile, nextLine, rowOfCursor } from './list/cursor.ts';
import { remarksOf } from './list/remarks.ts';
import { rowOfLine, rowsOf } from './list/rows.ts';
import { draftOf } from './notes/open-draft.ts';
import { readFile } from './patch/read-file.ts';
import { fileDecision, totalsOf, withDecisions } from './totals.ts';

const open = (id: string) => ({ id, header: '@@ -1 +1 @@', decision: 'open' as const });

function file(path: string, text: string, ...ids: string[]): ReviewFile {
  return {
    ...{ path, oldPath: null, status: 'modified', kind: 'text', insertions: 1, deletions: 1 },
    ...{ hunks: ids.map(open), text, cut: false },
  };
}

const HEAD = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n';
const FILES = [
  file('a', `${HEAD}@@ -1,2 +1,2 @@\n-x\n+y\n z\n@@ -9,2 +9,2 @@\n-\tq\n+  q\n r\n`, '0.0', '0.1'),
  file('b', `${HEAD}@@ -1 +0,0 @@\n-gone\n`, '1'),
  file('c', `${HEAD}@@ -1 +1 @@\n-1\n+2\n`, '2.0'),
];
const REVIEW: Review = {
  ...{ session: 's', attempt: 't', sha256: 'f', files: FILES, leftOut: [], verification: null },
  flags: [
    { kind: 'tests', path: 'a', line: null, detail: 'd', exported: true },
    { kind: 'risky_calls', path: 'a', line: 9, detail: 'e', exported: true },
  ],
  notes: [{ id: 'n', path: 'c', line: 1, text: 'why' }],
  ...{ partial: false, appliesToWorkingTree: true, appliesDetail: null },
};
const READ = FILES.map(readFile);
const USUAL = { split: false, ignoreSpace: false, folded: new Set<number>() };
const ROWS = rowsOf(FILES, READ, USUAL);
const kinds = (rows: typeof ROWS) =>
  rows.map((row) => (row.kind === 'said' ? row.said : row.kind)).join(' ');

describe('decisions', () => {
  it('show before the core has answered; the newest one counts', () => {
    const pending = [
      { ids: ['0.0', '2'], decision: 'rejected' as const },
      { ids: ['0'], decision: 'accepted' as const },
      { ids: ['0.1'], decision: 'open' as const },
    ];
    const review = withDecisions(REVIEW, pending);
    expect(review.files.map(({ hunks }) => hunks.map(({ decision }) => decision))).toEqual([
      ['accepted', 'open'],
      ['open'],
      ['rejected'],
    ]);
    expect(review.files.map(fileDecision)).toEqual(['mixed', 'open', 'rejected']);
    expect(review.partial).toBe(true);
    expect(review.files[1]).toBe(FILES[1]);
    expect(totalsOf(review.files)).toEqual({
      all: 4,
      accepted: 1,
      rejected: 1,
      open: 2,
      exported: 3,
    });
  });

  it('tell in words what is exported', () => {
    const totals = { all: 3, accepted: 0, rejected: 1, open: 2, exported: 2 };
    expect(exportWords(totals, true)).toBe(
      'Exported: 2 of 3 changes. The verification is of the whole patch.',
    );
    expect(exportWords(totals, false)).toBe('Exported: 2 of 3 changes.');
    expect(exportWords({ ...totals, exported: 3 }, true)).toBe('Exported: all of it, 3 changes.');
    expect(exportWords({ ...totals, exported: 0 }, true)).toBe(
      'Everything is rejected, so there is nothing to export.',
    );
  });
});

describe('the list of changes', () => {
  it('has files, their hunks and their lines', () => {
    expect(kinds(ROWS)).toBe(
      'file about hunk lines hunk lines file about hunk lines file about hunk lines',
    );
    expect(new Set(ROWS.map(({ key }) => key)).size).toBe(ROWS.length);
  });

  it('hides what is folded, not read yet, or white space only', () => {
    const rows = rowsOf(FILES, READ.slice(0, 2), {
      ...USUAL,
      ignoreSpace: true,
      folded: new Set([1]),
    });
    expect(kinds(rows)).toBe('file about hunk lines hunk white space file file about reading');
    // What is said of a hidden line still has its place.
    expect(rows[rowOfLine(rows, 0, 9)]).toMatchObject({ kind: 'said', unit: '0.1' });
  });

  it('is gone through by change and by file', () => {
    const ids: string[][] = [];
    let at = nextChange(ROWS, null, 1);
    while (at !== null) {
      ids.push(idsAt(at));
      at = nextChange(ROWS, at, 1);
    }
    // The second file goes as a whole: it is one change.
    expect(ids).toEqual([['0.0'], ['0.1'], ['1'], ['2.0']]);
    expect(idsAt(nextFile(ROWS, { file: 0, unit: '0.1', line: null }, 1))).toEqual(['1']);
    expect(idsAt(nextFile(ROWS, { file: 0, unit: '0.1', line: null }, -1))).toEqual(['0']);
    expect(nextFile(ROWS, { file: 0, unit: null, line: null }, -1)).toBeNull();
    expect(idsAt(nextChange(ROWS, { file: 2, unit: null, line: null }, -1))).toEqual(['1']);
  });

  it('is gone through line by line within a change', () => {
    const first = nextLine(ROWS, { file: 0, unit: '0.0', line: null }, 1);
    const second = nextLine(ROWS, first, 1);
    const last = nextLine(ROWS, nextLine(ROWS, second, 1), 1);
    expect([first.line, second.line, last.line]).toEqual(['D1', 'I1', 'N2']);
    expect(nextLine(ROWS, first, -1).line).toBeNull();
    expect(ROWS[rowOfCursor(ROWS, second)]?.kind).toBe('lines');
  });

  it('leads to a line of a file, or to its head', () => {
    expect(ROWS[rowOfLine(ROWS, 0, 9)]).toMatchObject({ kind: 'lines', unit: '0.1' });
    expect(ROWS[rowOfLine(ROWS, 0, 500)]).toMatchObject({ kind: 'file', file: 0 });
    expect(ROWS[rowOfLine(ROWS, 2, null)]).toMatchObject({ kind: 'file', file: 2 });
  });

  it('has flags, notes and what is being written at their lines', () => {
    const remarks = remarksOf(REVIEW, { path: 'b', line: null, id: null });
    expect([...(remarks.get(0)?.keys() ?? [])]).toEqual([null, 9]);
    expect(remarks.get(1)?.get(null)?.draft).toBe(true);
    expect(
      remarks
        .get(2)
        ?.get(1)
        ?.notes.map(({ id }) => id),
    ).toEqual(['n']);
    expect(remarksOf(REVIEW, { path: 'c', line: 1, id: 'n' }).get(2)?.get(1)?.draft).toBe(false);
  });
});

describe('the note that is being written', () => {
  it('opens again where it was, and nowhere when what was kept is no place', () => {
    const place = { path: 'a "b"\u{202e}', line: 3, id: null };
    expect(draftOf(JSON.stringify(place))).toEqual(place);
    const others = [null, '', '{', 'null', '[]', '{"path":1,"line":null,"id":null}'];
    expect(others.map(draftOf)).toEqual(others.map(() => null));
  });
});
