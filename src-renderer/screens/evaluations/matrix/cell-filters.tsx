import { useMemo, type RefObject } from 'react';
import type { RunReport } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { type Option, Select } from '../../../components/select.tsx';
import { SearchField } from '../../../components/text-field.tsx';
import type { CellsAsked } from '../../../navigation.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import { runText } from '../../../text/en/run.ts';
import { statesText } from '../../../text/en/states.ts';
import { visibleLine } from '../../../visible.ts';
import { CELL_MARKS, countsBy, type TaskLine } from '../cells.ts';
import styles from './matrix.module.css';

export interface CellFiltersProps {
  asked: CellsAsked;
  lines: readonly TaskLine[];
  report: RunReport;
  /** Tasks that are left. */
  shown: number;
  search: RefObject<HTMLInputElement | null>;
  onChange: (asked: CellsAsked) => void;
}

const ANY = '';
const ENDINGS: Record<string, string> = {
  ...runText.failures.endings,
  none: runText.failures.noEnding,
};
const MARKS: Array<Option<string>> = [
  { id: ANY, label: cellsText.anyMark },
  ...CELL_MARKS.map((mark) => ({ id: mark, label: cellsText.marks[mark] })),
];
const OUTCOMES: Record<string, string> = statesText.cell;

/** Which attempts are shown; each choice tells how many there would be. */
export function CellFilters({ asked, lines, report, shown, search, onChange }: CellFiltersProps) {
  const set = (member: keyof CellsAsked, value: string) => {
    const { [member]: _, ...rest } = asked;
    if (value === ANY) onChange(rest);
    else onChange({ ...rest, [member]: member === 'entry' ? Number(value) : value });
  };
  // A mark that moves draws this anew; what is counted does not change by it.
  const counts = useMemo(
    () => ({
      outcome: countsBy(lines, asked, 'outcome'),
      ending: countsBy(lines, asked, 'ending'),
    }),
    [lines, asked],
  );
  const pick = (
    member: 'outcome' | 'ending' | 'mark' | 'entry',
    options: Array<Option<string>>,
  ) => (
    <Select
      label={cellsText[member]}
      hideLabel
      value={asked[member] === undefined ? ANY : String(asked[member])}
      onChange={(value) => set(member, value)}
      options={options}
    />
  );
  return (
    <search className={styles.filters} aria-label={cellsText.filters}>
      <div className={styles.search}>
        <SearchField
          ref={search}
          label={cellsText.search}
          value={asked.text ?? ''}
          onChange={(text) => set('text', text)}
        />
      </div>
      {report.entries.length > 1 && pick('entry', entryOptions(report))}
      {pick('outcome', counted(cellsText.anyOutcome, counts.outcome, OUTCOMES))}
      {pick('ending', counted(cellsText.anyEnding, counts.ending, ENDINGS))}
      {pick('mark', MARKS)}
      {Object.keys(asked).length > 0 && (
        <Button variant="quiet" icon="close" onPress={() => onChange({})}>
          {cellsText.clear}
        </Button>
      )}
      <span className={styles.shown} role="status">
        {cellsText.shown(shown, lines.length)}
      </span>
    </search>
  );
}

function entryOptions({ entries }: RunReport): Array<Option<string>> {
  return [
    { id: ANY, label: cellsText.anyEntry },
    ...entries.map(({ entry }, at) => ({ id: String(at), label: visibleLine(entry.label) })),
  ];
}

/** Those that occur, most first; what is asked for stays in the list. */
function counted(
  any: string,
  counts: ReadonlyMap<string, number>,
  words: Readonly<Record<string, string>>,
): Array<Option<string>> {
  const some = [...counts].toSorted(([, one], [, other]) => other - one);
  return [
    { id: ANY, label: any },
    ...some.map(([id, count]) => ({ id, label: cellsText.option(words[id] ?? id, count) })),
  ];
}
