import { useCall } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Age } from '../../components/figures.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { Banner, ErrorNote, Loading } from '../../components/notes.tsx';
import { Section } from '../../components/page.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatSize } from '../../format.ts';
import { environmentText } from '../../text/en/environment.ts';
import { ONE, useJob } from '../jobs.ts';
import styles from './environment.module.css';

const text = environmentText.images;

/** As Docker's own tools shorten it. */
const ID_CHARACTERS = 12;

/** Images that a fix can be run in. */
export function Images({ onBuild, onImport }: { onBuild: () => void; onImport: () => void }) {
  const { data, error, isPending, refetch } = useCall('environment/images', {});
  return (
    <Section
      title={environmentText.sections.images}
      actions={
        <span className={styles.row}>
          <Button small icon="upload" onPress={onImport}>
            {text.import}
          </Button>
          <Button small icon="plus" onPress={onBuild}>
            {text.build}
          </Button>
        </span>
      }
    >
      <Building onShow={onBuild} />
      <p className={styles.soft}>{data?.length === 0 ? text.none : text.never}</p>
      {isPending && <Loading>{text.loading}</Loading>}
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          caption={text.table}
          hideCaption
          rows={data}
          keyOf={({ reference, id }) => `${reference} ${id}`}
          columns={[
            {
              id: 'reference',
              header: text.reference,
              render: ({ reference }) => (
                <span className={styles.reference}>
                  <VisibleText text={reference} />
                  <CopyButton text={reference} />
                </span>
              ),
            },
            {
              ...{ id: 'size', header: text.size, align: 'end' },
              render: ({ bytes }) => <span className={styles.size}>{formatSize(bytes)}</span>,
            },
            { id: 'made', header: text.made, render: ({ createdAt }) => <Age at={createdAt} /> },
            { id: 'id', header: text.id, render: ({ id }) => <code>{shortId(id)}</code> },
          ]}
        />
      )}
    </Section>
  );
}

/** An image is being built, with the dialog closed. */
function Building({ onShow }: { onShow: () => void }) {
  const { job } = useJob('environment/buildImage', ONE);
  if (job.state !== 'running') return null;
  return (
    <Banner
      tone="info"
      action={
        <Button small onPress={onShow}>
          {environmentText.build.show}
        </Button>
      }
    >
      {environmentText.build.running}
    </Banner>
  );
}

function shortId(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, ID_CHARACTERS);
}
