import { useState } from 'react';
import type { OutputOf } from '../../../src-main/contract/index.ts';
import { useCall } from '../../api/hooks.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { type Column, VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Section } from '../../components/page.tsx';
import { SearchField } from '../../components/text-field.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize } from '../../format.ts';
import { settingsText } from '../../text/en/settings.ts';
import styles from './settings.module.css';

const text = settingsText.about;

type About = OutputOf<'about'>;
type Licence = About['licences'][number];

/** Versions, and whose work is inside. */
export function AboutTab() {
  const { data, error, isPending, refetch } = useCall('about', {});
  if (isPending) return <Loading>{text.loading}</Loading>;
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.about}>
      <Section title={text.title}>
        <KeyValue
          row
          facts={[
            { key: text.vivarium, value: data.version },
            { key: text.node, value: data.node },
            { key: text.platform, value: data.platform },
            { key: text.memory, value: formatSize(data.memoryBytes) },
          ]}
        />
      </Section>
      <Licences all={data.licences} />
    </div>
  );
}

function Licences({ all }: { all: Licence[] }) {
  const [words, setWords] = useState('');
  const [open, setOpen] = useState<Licence | null>(null);
  const wanted = words.trim().toLowerCase();
  const shown = all.filter(({ name, licence }) =>
    `${name} ${licence}`.toLowerCase().includes(wanted),
  );
  return (
    <section className={styles.licences} aria-label={text.licences}>
      <div className={styles.licencesHead}>
        <h2>{text.licences}</h2>
        <span className={styles.soft}>{text.count(shown.length, all.length)}</span>
        <span className={styles.grow} />
        <div className={styles.filter}>
          <SearchField label={text.filter} value={words} onChange={setWords} />
        </div>
      </div>
      {shown.length === 0 ? (
        <p className={styles.soft}>{text.noMatch}</p>
      ) : (
        <div className={styles.grid}>
          <VirtualGrid
            label={text.licences}
            items={shown}
            keyOf={({ name, version }) => `${name}@${version}`}
            columns={COLUMNS}
            showHeader
            rowRem={1.75}
            onOpen={setOpen}
          />
        </div>
      )}
      {open !== null && <LicenceDialog of={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

function LicenceDialog({ of, onClose }: { of: Licence; onClose: () => void }) {
  const { name, version, licence } = of;
  const { data, error } = useCall('about/licence', { name, version });
  return (
    <Dialog isOpen onClose={onClose} size="large" title={`${name} ${version}`}>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <Loading>{text.loadingText}</Loading>
      ) : data.text === null ? (
        <p>{text.noText(licence)}</p>
      ) : (
        <CodeBlock wrap text={data.text} label={text.licence} limit={null} />
      )}
    </Dialog>
  );
}

const COLUMNS: Array<Column<Licence>> = [
  {
    id: 'name',
    header: text.library,
    width: 'minmax(0, 2fr)',
    render: ({ name }) => <VisibleText text={name} />,
  },
  {
    id: 'version',
    header: text.version,
    width: '8rem',
    render: ({ version }) => <VisibleText text={version} />,
  },
  {
    id: 'licence',
    header: text.licence,
    width: 'minmax(0, 1fr)',
    render: ({ licence }) => <VisibleText text={licence} />,
  },
];
