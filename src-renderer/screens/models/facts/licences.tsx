import type { LicenceStatement } from '../../../../src-main/contract/index.ts';
import { DataTable } from '../../../components/list/data-table.tsx';
import { Banner } from '../../../components/notes.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { modelsText } from '../../../text/en/models.ts';
import { differ } from '../figures.ts';
import styles from '../models.module.css';

const text = modelsText.licences;

/** Every statement that the files make, verbatim; none is chosen over another. */
export function Licences({ statements }: { statements: readonly LicenceStatement[] }) {
  if (statements.length === 0) return <Banner tone="warn">{text.none}</Banner>;
  return (
    <div className={styles.stack}>
      {differ(statements) && <Banner tone="warn">{text.differ}</Banner>}
      <DataTable
        caption={text.title}
        hideCaption
        rows={statements}
        keyOf={({ source, licence }) => `${source} ${licence}`}
        columns={[
          {
            id: 'licence',
            header: text.licence,
            render: ({ licence }) => (
              <b>
                <VisibleText text={licence} />
              </b>
            ),
          },
          {
            id: 'source',
            header: text.source,
            render: ({ source }) => <VisibleText text={source} />,
          },
        ]}
      />
    </div>
  );
}
