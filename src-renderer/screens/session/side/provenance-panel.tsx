import type { EventOf } from '../../../../src-main/contract/index.ts';
import { useCall } from '../../../api/hooks.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { type Fact, KeyValue } from '../../../components/key-value.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { EmptyState } from '../../../components/notes.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount, formatMoment, formatSize } from '../../../format.ts';
import { sessionText } from '../../../text/en/session.ts';
import { newestOf } from '../record/timeline.ts';
import { useRecordView, useSessionView } from '../session-view.ts';
import styles from './side.module.css';

type Created = EventOf<'session.created'>;
type Attested = EventOf<'workspace.opened'>['attestation'];

/** Where the patch comes from: task, model, scaffold, and the workspace as it was found to be. */
export default function ProvenancePanel() {
  const { events } = useRecordView();
  const { attempt, got } = useSessionView();
  const { provenance: words } = sessionText;
  const attemptId = attempt?.attemptId ?? null;
  const created = newestOf(events, 'session.created', attemptId);
  const opened = newestOf(events, 'workspace.opened', attemptId);
  const snapshot = newestOf(events, 'snapshot.taken', attemptId);
  const patch = newestOf(events, 'patch.made', attemptId);
  if (created === null) {
    return (
      <EmptyState icon="info" title={words.none}>
        {words.noneWords}
      </EmptyState>
    );
  }
  const task: Fact[] = [
    { key: words.session, value: <Exact text={got.row.sessionId} /> },
    { key: words.started, value: formatMoment(got.row.createdAt) },
    { key: words.repository, value: <Exact text={created.repository} /> },
    ...(snapshot === null
      ? []
      : [
          { key: words.commit, value: <Exact text={snapshot.baseCommit} /> },
          { key: words.snapshot, value: <Exact text={snapshot.tree} /> },
        ]),
    ...(attempt === null ? [] : [{ key: words.seed, value: String(attempt.seed) }]),
    ...(patch === null || patch.blob === null
      ? []
      : [{ key: words.patch, value: <Exact text={patch.sha256} /> }]),
  ];
  return (
    <div className={styles.panel}>
      <Part title={words.task} facts={task} />
      <Part title={words.model} facts={modelFacts(created.model)} />
      <Licences name={created.model.name} spec={created.model.spec} />
      <Part
        title={words.scaffold}
        facts={[
          { key: words.name, value: <VisibleText text={created.scaffold.name} /> },
          { key: words.hash, value: <Exact text={created.scaffold.hash} /> },
        ]}
      />
      <Part
        title={words.workspace}
        facts={workspaceFacts(created.limits, opened?.attestation ?? null)}
      />
      {opened !== null && <Hardening rows={opened.attestation.rows} />}
    </div>
  );
}

function Part({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      <KeyValue facts={facts} />
    </section>
  );
}

function modelFacts({ name, engine, spec, contextTokens, sha256, details }: Created['model']) {
  const { provenance: words } = sessionText;
  const facts: Fact[] = [
    { key: words.name, value: <VisibleText text={name} /> },
    { key: words.engine, value: <VisibleText text={engine} /> },
    { key: words.spec, value: <Exact text={spec} /> },
  ];
  if (contextTokens !== null) {
    facts.push({ key: words.window, value: words.tokens(formatCount(contextTokens)) });
  }
  if (sha256 !== null) facts.push({ key: words.sha256, value: <Exact text={sha256} /> });
  for (const [key, value] of Object.entries(details)) {
    facts.push({ key, value: <VisibleText text={String(value)} /> });
  }
  return facts;
}

function workspaceFacts(limits: Created['limits'], attested: Attested | null): Fact[] {
  const { provenance: words } = sessionText;
  return [
    ...(attested === null
      ? []
      : [
          { key: words.image, value: <Exact text={attested.imageId} /> },
          { key: words.runtime, value: attested.runtime },
          { key: words.containerEngine, value: attested.engine },
        ]),
    { key: words.memory, value: formatSize(limits.memoryBytes) },
    { key: words.cpus, value: String(limits.cpus) },
    { key: words.pids, value: formatCount(limits.pids) },
    { key: words.disk, value: formatSize(limits.diskBytes) },
    { key: words.inodes, value: formatCount(limits.inodes) },
  ];
}

/** Statements of the model's own files, where it is in the library. */
function Licences({ name, spec }: { name: string; spec: string }) {
  const { provenance: words } = sessionText;
  const { data } = useCall('models/list', {});
  const known = data?.find(({ model }) => model.name === spec || model.name === name);
  const licences = known?.model.facts.licences ?? [];
  return (
    <section className={styles.part}>
      <h2>{words.licences}</h2>
      {licences.length === 0 ? (
        <p className={styles.soft}>
          {known === undefined ? words.unknownLicence : words.noLicence}
        </p>
      ) : (
        <KeyValue
          facts={licences.map(({ source, licence }) => ({
            key: source,
            value: <VisibleText text={licence} />,
          }))}
        />
      )}
    </section>
  );
}

function Hardening({ rows }: { rows: Attested['rows'] }) {
  const { provenance: words } = sessionText;
  return (
    <section className={styles.part}>
      <h2>{words.hardening}</h2>
      <DataTable<Attested['rows'][number]>
        caption={words.hardening}
        hideCaption
        rows={rows}
        keyOf={({ check, from }) => `${from} ${check}`}
        columns={[
          { id: 'check', header: words.check, render: ({ check }) => check },
          { id: 'from', header: words.from, render: ({ from }) => words.fromWords[from] },
          {
            id: 'found',
            header: words.found,
            render: ({ found }) => (
              <code className={styles.path}>
                <VisibleText text={found} />
              </code>
            ),
          },
          {
            id: 'expected',
            header: words.expected,
            render: ({ found, expected }) => (
              <StateMark
                kind="check"
                state={found === expected ? 'ok' : 'warning'}
                words={found === expected ? words.asExpected : expected}
              />
            ),
          },
        ]}
      />
    </section>
  );
}

/** A text that is compared or used elsewhere, so it can be copied. */
function Exact({ text }: { text: string }) {
  return (
    <span className={styles.exact}>
      <code className="cut" title={text}>
        <VisibleText text={text} />
      </code>
      <CopyButton text={text} />
    </span>
  );
}
