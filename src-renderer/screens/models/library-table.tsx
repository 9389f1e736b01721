import { type Column, VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize, formatSizeOf, formatTokens } from '../../format.ts';
import { useServices } from '../../services.ts';
import { modelsText } from '../../text/en/models.ts';
import { useWide } from '../use-wide.ts';
import { fileBytes, formatParameters, isUp, memoryOf } from './figures.ts';
import styles from './models.module.css';
import type { ModelEntry } from './use-models.ts';

/** Below this width the least telling columns are left out. */
const WIDE_REM = 84;

export function LibraryTable({ entries }: { entries: ModelEntry[] }) {
  const { navigate } = useServices();
  const wide = useWide(WIDE_REM);
  return (
    <VirtualGrid
      label={modelsText.list}
      items={entries}
      keyOf={({ model }) => model.name}
      columns={wide ? COLUMNS : COLUMNS.filter(({ id }) => id !== 'preset' && id !== 'size')}
      showHeader
      rowRem={2.25}
      onOpen={({ model }) => navigate({ screen: 'model', name: model.name })}
    />
  );
}

/** Memory of a running server, with what was estimated. */
export function Memory({ status, sample }: ModelEntry) {
  const measured = memoryOf(sample, status.plan?.device ?? null);
  const estimate = status.plan?.estimate.totalBytes ?? null;
  if (!isUp(status) || measured === null) return <span>{modelsText.noMemory}</span>;
  return (
    <span className="numbers">
      {estimate === null ? formatSize(measured) : formatSizeOf(measured, estimate)}
    </span>
  );
}

const { columns } = modelsText;

const COLUMNS: Array<Column<ModelEntry>> = [
  {
    id: 'name',
    header: columns.name,
    width: 'minmax(10rem, 1.4fr)',
    render: ({ model }) => (
      <span className={styles.name}>
        <VisibleText text={model.name} />
      </span>
    ),
  },
  {
    id: 'state',
    header: columns.state,
    width: 'minmax(8rem, 1fr)',
    render: ({ status }) => <State status={status} />,
  },
  {
    id: 'parameters',
    header: columns.parameters,
    width: '5.5rem',
    align: 'end',
    render: ({ model }) => formatParameters(model.facts.parameters),
  },
  {
    id: 'quantization',
    header: columns.quantization,
    width: '6.5rem',
    render: ({ model }) => <VisibleText text={model.facts.quantization} />,
  },
  {
    id: 'context',
    header: columns.context,
    width: '5rem',
    align: 'end',
    render: ({ model, status }) =>
      formatTokens(status.contextTokens ?? model.facts.trainedContextTokens),
  },
  {
    id: 'preset',
    header: columns.preset,
    width: 'minmax(6rem, 0.6fr)',
    render: ({ model }) => <VisibleText text={model.preset} />,
  },
  {
    id: 'size',
    header: columns.size,
    width: '6rem',
    align: 'end',
    render: ({ model }) => formatSize(fileBytes(model)),
  },
  {
    id: 'memory',
    header: columns.memory,
    width: '10rem',
    align: 'end',
    render: (entry) => <Memory {...entry} />,
  },
];

function State({ status }: Pick<ModelEntry, 'status'>) {
  const words = status.progress === null ? {} : { words: status.progress };
  return <StateMark kind="server" state={status.state} {...words} />;
}
