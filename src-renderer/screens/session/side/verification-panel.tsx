import { useState } from 'react';
import type { Verification, VerificationRun } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Duration } from '../../../components/figures.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { Banner, EmptyState } from '../../../components/notes.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { sessionText } from '../../../text/en/session.ts';
import { visibleLine, withoutTerminalCodes } from '../../../visible.ts';
import { CellGrading, isCellRecord } from '../../evaluations/cell-note.tsx';
import { comparedTests, type ComparedTest, type TestStatus } from '../record/tests-compared.ts';
import { newestOf } from '../record/timeline.ts';
import { useRecordView, useSessionView } from '../session-view.ts';
import styles from './side.module.css';

/** Rows of tests at first; those that tell something come first. */
const SHOWN_TESTS = 100;

/** Before and after the patch: the command, and each test that is told apart. */
export function VerificationPanel() {
  const { events } = useRecordView();
  const { attempt, got, live } = useSessionView();
  const { verification: words } = sessionText;
  const found =
    attempt === null ? null : newestOf(events, 'verification.finished', attempt.attemptId);
  if (found === null && isCellRecord(events)) return <CellGrading session={got.row.sessionId} />;
  if (found === null) {
    return (
      <EmptyState icon="check" title={words.none}>
        {got.verify === null ? words.noneWords : live ? words.notYet : words.noPatch}
      </EmptyState>
    );
  }
  const { result } = found;
  return (
    <div className={styles.panel}>
      <div className={styles.verdict}>
        <StateMark kind="session" state={result.passed ? 'verified' : 'not_verified'} />
        <p>
          <VisibleText text={result.summary} />
        </p>
      </div>
      <div className={styles.command}>
        <span className={styles.soft}>{words.command}</span>
        <code className="cut" title={visibleLine(result.command)}>
          <VisibleText text={result.command} />
        </code>
        <CopyButton text={result.command} />
      </div>
      <div className={styles.runs}>
        <Run title={words.before} run={result.before} />
        <Run title={words.after} run={result.after} />
      </div>
      {result.restored.length > 0 && (
        <Banner tone="info">
          <p>{words.restoredWords}</p>
          <ul className={styles.paths} aria-label={words.restored}>
            {result.restored.map((path) => (
              <li key={path}>
                <VisibleText text={path} />
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <Tests result={result} />
      <Output title={words.after} run={result.after} open={!result.passed} />
      <Output title={words.before} run={result.before} open={false} />
    </div>
  );
}

function Run({ title, run }: { title: string; run: VerificationRun }) {
  const { verification: words } = sessionText;
  const passing = run.tests.filter(({ status }) => status === 'passed').length;
  return (
    <section className={styles.run}>
      <h2>{title}</h2>
      <p className={styles.line}>
        <StateMark
          kind="test"
          state={run.passed ? 'passed' : 'failed'}
          words={run.passed ? words.passed : words.failed}
        />
        <span>{words.exit(String(run.exitCode ?? '?'))}</span>
        <Duration ms={run.seconds * 1000} />
      </p>
      <p className={styles.soft}>
        {run.tests.length === 0 ? words.noTests : words.counts(passing, run.tests.length)}
      </p>
      {run.reason !== null && (
        <p className={styles.soft}>
          <VisibleText text={run.reason} />
        </p>
      )}
    </section>
  );
}

function Tests({ result }: { result: Verification }) {
  const [all, setAll] = useState(false);
  const { verification: words } = sessionText;
  const tests = comparedTests(result);
  if (tests.length === 0) return null;
  const shown = all ? tests : tests.slice(0, SHOWN_TESTS);
  return (
    <section className={styles.part}>
      <h2>
        {words.tests} <Counts result={result} />
      </h2>
      <DataTable<ComparedTest>
        caption={words.tests}
        hideCaption
        rows={shown}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: words.test, render: ({ name }) => <Name name={name} /> },
          { id: 'before', header: words.before, render: ({ before }) => <Status is={before} /> },
          { id: 'after', header: words.after, render: ({ after }) => <Status is={after} /> },
          { id: 'change', header: words.change, render: ({ change }) => words.changes[change] },
        ]}
      />
      {shown.length < tests.length && (
        <Button small variant="quiet" onPress={() => setAll(true)}>
          {words.showAll(tests.length)}
        </Button>
      )}
    </section>
  );
}

function Counts({ result: { fixed, regressions } }: { result: Verification }) {
  const { verification: words } = sessionText;
  return (
    <span className={styles.counts}>
      {fixed.length > 0 && <span className="plus">{words.fixed(fixed.length)}</span>}
      {regressions.length > 0 && (
        <span className="minus">{words.regressions(regressions.length)}</span>
      )}
    </span>
  );
}

function Name({ name }: { name: string }) {
  return (
    <code className={styles.testName}>
      <VisibleText text={name} />
    </code>
  );
}

function Status({ is }: { is: TestStatus | null }) {
  if (is === null) return <span className={styles.soft}>{sessionText.verification.absent}</span>;
  return <StateMark kind="test" state={is} />;
}

function Output({ title, run, open }: { title: string; run: VerificationRun; open: boolean }) {
  const { verification: words } = sessionText;
  if (run.outputTail.trim() === '') return null;
  const label = words.outputOf(title);
  return (
    <details className={styles.details} open={open}>
      <summary>{label}</summary>
      <CodeBlock text={withoutTerminalCodes(run.outputTail)} label={label} limit={200} />
    </details>
  );
}
