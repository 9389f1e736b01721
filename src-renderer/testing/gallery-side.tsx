import { type ReactNode, useState } from 'react';
import { TimeChart } from '../components/chart/time-chart.tsx';
import { DataTable } from '../components/list/data-table.tsx';
import { VirtualGrid } from '../components/list/virtual-grid.tsx';
import { Tabs } from '../components/tabs.tsx';
import { formatSize } from '../format.ts';
import styles from './gallery.module.css';

const GIB = 2 ** 30;
const ROWS = Array.from({ length: 10_000 }, (_, index) => ({
  id: String(index),
  name: `Row ${index}`,
}));
const TIMES = Array.from({ length: 60 }, (_, index) => Date.UTC(2026, 10, 29, 12, 0, index));
const wave = (base: number, by: number) =>
  TIMES.map((_, at) => (base + by * Math.sin(at / 6)) * GIB);

/** Charts, a list of 10,000 rows, a table. */
export function Side() {
  const [tab, setTab] = useState<'charts' | 'list' | 'table'>('charts');
  return (
    <Tabs
      label="Parts"
      selected={tab}
      onSelect={setTab}
      tabs={[
        { id: 'charts', label: 'Charts', render: () => <Charts /> },
        { id: 'list', label: 'List', extra: '10,000', render: () => <List /> },
        { id: 'table', label: 'Table', render: () => <Table /> },
      ]}
    />
  );
}

function Charts() {
  return (
    <Padded>
      <TimeChart
        title="Memory"
        times={TIMES}
        format={formatSize}
        sync="gallery"
        ticks="binary"
        {...(TIMES[0] === undefined ? {} : { zero: TIMES[0] })}
        shown={{ id: 20, from: TIMES[20] ?? 0, to: TIMES[24] ?? 0 }}
        limit={{ value: 24 * GIB, label: 'of' }}
        series={[
          { id: 'm', label: 'model server', values: wave(11, 1), colour: 1, kind: 'area' },
          { id: 'w', label: 'workspace', values: wave(3, 2), colour: 2, dashed: true },
        ]}
      />
      <TimeChart title="Tokens" times={[]} format={formatSize} series={[]} />
    </Padded>
  );
}

function List() {
  return (
    <VirtualGrid
      label="Rows"
      items={ROWS}
      keyOf={({ id }) => id}
      showHeader
      onOpen={() => {}}
      columns={[
        { id: 'name', header: 'Name', width: 'minmax(0, 1fr)', render: ({ name }) => name },
        { id: 'n', header: 'Number', width: '5rem', align: 'end', render: ({ id }) => id },
      ]}
    />
  );
}

function Table() {
  return (
    <Padded>
      <DataTable
        caption="Turns"
        rows={ROWS.slice(0, 4)}
        keyOf={({ id }) => id}
        columns={[
          { id: 'name', header: 'Turn', render: ({ name }) => name },
          { id: 'n', header: 'Tokens', align: 'end', render: ({ id }) => id },
        ]}
      />
    </Padded>
  );
}

function Padded({ children }: { children: ReactNode }) {
  return <div className={styles.padded}>{children}</div>;
}
