import type { EntryReportRow } from '../../../../src-main/contract/index.ts';
import { type DataColumn, DataTable } from '../../../components/list/data-table.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatDuration, formatSize, formatTokens } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import { formatShare } from '../figures.ts';

type Costs = EntryReportRow['costs'];
type Name = Exclude<keyof Costs, 'cachedShare'>;
type Format = (value: number | null) => string;

const seconds: Format = (value) => formatDuration(value === null ? null : value * 1_000);
const whole: Format = (value) => formatCount(value === null ? null : Math.round(value));
const energy: Format = (value) =>
  value === null ? formatCount(null) : runText.result.energy((value / 1_000).toFixed(1));

const FORMATS: Record<Name, Format> = {
  steps: whole,
  promptTokens: (value) => formatTokens(value === null ? null : Math.round(value)),
  completionTokens: (value) => formatTokens(value === null ? null : Math.round(value)),
  totalSeconds: seconds,
  modelSeconds: seconds,
  toolsSeconds: seconds,
  gradingSeconds: seconds,
  peakMemoryBytes: formatSize,
  energyJoules: energy,
};
const NAMES = Object.keys(FORMATS) as Name[];
/** A sum of peaks is the memory of nothing. */
const WITHOUT_SUM: ReadonlySet<Name> = new Set(['peakMemoryBytes']);

interface Row {
  key: string;
  words: string;
  /** Said in the row above: only those who hear the table are told again. */
  repeated: boolean;
  entry: string;
  half: string;
  most: string;
  sum: string;
}

/** What attempts with a verdict took, by entry. */
export function CostTable({ entries }: { entries: readonly EntryReportRow[] }) {
  const { result: words } = runText;
  const rows = rowsOf(entries);
  const column = (id: 'half' | 'most' | 'sum', header: string): DataColumn<Row> => ({
    ...{ id, header, align: 'end' },
    render: (row) => row[id],
  });
  const named: DataColumn<Row> = {
    ...{ id: 'entry', header: words.entry },
    render: ({ entry }) => <VisibleText text={entry} />,
  };
  return (
    <DataTable
      caption={words.costs}
      hideCaption
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { id: 'figure', header: words.figure, render: nameOf },
        ...(entries.length > 1 ? [named] : []),
        column('half', words.half),
        column('most', words.most),
        column('sum', words.sum),
      ]}
    />
  );
}

function nameOf({ words, repeated }: Row) {
  return repeated ? <span className="visually-hidden">{words}</span> : words;
}

/** By figure, so that entries stand below each other. */
function rowsOf(entries: readonly EntryReportRow[]): Row[] {
  const { result: words } = runText;
  const figures = NAMES.flatMap((name) =>
    entries
      .filter(({ costs }) => costs[name].n > 0)
      .map(({ entry, costs }, at): Row => {
        const { p50, p90, sum } = costs[name];
        const format = FORMATS[name];
        return {
          ...{ key: `${entry.label} ${name}`, entry: entry.label },
          words: words.costNames[name],
          repeated: at > 0,
          ...{ half: format(p50), most: format(p90) },
          sum: WITHOUT_SUM.has(name) ? '' : format(sum),
        };
      }),
  );
  const cached = entries.map(({ entry, costs }, at): Row => ({
    ...{ key: `${entry.label} cached`, entry: entry.label, half: '', most: '' },
    words: words.cachedShare,
    repeated: at > 0,
    sum: costs.cachedShare === null ? words.notMeasured : formatShare(costs.cachedShare),
  }));
  return [...figures, ...cached];
}
