import type { DiskUse } from '../../../src-main/contract/index.ts';
import { useCall } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Section } from '../../components/page.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize } from '../../format.ts';
import { environmentText } from '../../text/en/environment.ts';
import { type DiskPart, diskParts, lookOf } from './disk-parts.ts';
import styles from './environment.module.css';

const text = environmentText.disk;

/** Disk that is ours, by what it is for. */
export function Disk({ onClean }: { onClean: () => void }) {
  const { data, error, isPending, refetch } = useCall('environment/disk', {});
  return (
    <Section
      title={environmentText.sections.disk}
      actions={
        <Button small icon="trash" onPress={onClean}>
          {text.clean}
        </Button>
      }
    >
      {isPending && <Loading>{text.loading}</Loading>}
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Use use={data} />}
    </Section>
  );
}

function Use({ use }: { use: DiskUse }) {
  const { parts, usedBytes } = diskParts(use);
  return (
    <>
      <div className={styles.summary}>
        <span className={styles.total}>
          {text.summary(formatSize(usedBytes), formatSize(use.freeBytes))}
        </span>
        {!use.complete && <span className={styles.soft}>{text.atLeast}</span>}
      </div>
      <figure aria-label={text.bar}>
        <div className={styles.track} aria-hidden="true">
          {parts.map(({ name, bytes, look }) => (
            <div
              key={name}
              className={styles.segment}
              style={{ width: `${(bytes / usedBytes) * 100}%`, background: lookOf(look) }}
            />
          ))}
        </div>
      </figure>
      <Parts parts={parts} />
      <p className={styles.reference}>
        <span className={styles.soft}>{text.home}</span>
        <code>
          <VisibleText text={use.home} />
        </code>
        <CopyButton text={use.home} />
      </p>
    </>
  );
}

function Parts({ parts }: { parts: DiskPart[] }) {
  return (
    <DataTable
      caption={text.table}
      hideCaption
      rows={parts}
      keyOf={({ name }) => name}
      columns={[
        {
          id: 'part',
          header: text.part,
          render: ({ name, look }) => (
            <span className={styles.part}>
              <span className={styles.swatch} style={{ background: lookOf(look) }} />
              {text.parts[name]}
            </span>
          ),
        },
        {
          ...{ id: 'size', header: text.size, align: 'end' },
          render: ({ bytes }) => <span className={styles.size}>{formatSize(bytes)}</span>,
        },
        {
          id: 'what',
          header: text.what,
          render: ({ name }) => <span className={styles.soft}>{text.words[name]}</span>,
        },
      ]}
    />
  );
}
