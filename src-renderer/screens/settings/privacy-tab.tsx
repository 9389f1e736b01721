import { DataTable } from '../../components/list/data-table.tsx';
import { Section } from '../../components/page.tsx';
import { settingsText } from '../../text/en/settings.ts';
import styles from './settings.module.css';

const text = settingsText.privacy;
const ROWS = Object.entries(text.rows).map(([id, row]) => ({ id, ...row }));

/** A data sheet: what there is, where it is kept, and whether it ever leaves. */
export function PrivacyTab() {
  return (
    <div className={styles.tab}>
      <Section title={text.title}>
        <p className={styles.prose}>{text.words}</p>
        <DataTable
          caption={text.title}
          hideCaption
          rows={ROWS}
          keyOf={({ id }) => id}
          columns={[
            { id: 'what', header: text.what, render: ({ what }) => <b>{what}</b> },
            { id: 'kept', header: text.kept, render: ({ kept }) => kept },
            { id: 'leaves', header: text.leaves, render: ({ leaves }) => leaves },
          ]}
        />
      </Section>
      <Section title={text.connections}>
        <ul className={styles.list}>
          {text.list.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
