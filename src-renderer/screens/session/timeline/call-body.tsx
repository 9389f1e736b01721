import { useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { languageOf } from '../../../components/code/lines.ts';
import { VisibleText } from '../../../components/visible-text.tsx';
import { sessionText } from '../../../text/en/session.ts';
import { visibleLine } from '../../../visible.ts';
import type { CallView } from '../record/call-view.ts';
import { editLines } from '../record/edit-lines.ts';
import type { StepCall } from '../record/timeline.ts';
import { BashBody } from './bash-body.tsx';
import { FirstLines } from './first-lines.tsx';
import styles from './timeline.module.css';

const EDIT_LINES = 60;
const PATHS = 20;

/** A call's contents in the form made for its tool. */
export function CallBody({ call, view }: { call: StepCall; view: CallView }) {
  const { call: words } = sessionText;
  switch (view.form) {
    case 'read':
      return (
        <>
          {view.text !== '' && (
            <FirstLines
              text={view.text}
              language={languageOf(view.path)}
              firstLine={view.firstLine}
              label={visibleLine(view.path)}
            />
          )}
          <Remarks lines={view.notes} />
        </>
      );
    case 'edit':
      return <EditBody view={view} />;
    case 'write':
      return (
        <FirstLines
          text={view.text}
          language={languageOf(view.path)}
          firstLine={1}
          label={visibleLine(view.path)}
        />
      );
    case 'glob':
      return (
        <>
          {view.folder !== null && (
            <p className={styles.remark}>
              <VisibleText text={words.inFolder(view.folder)} />
            </p>
          )}
          <Paths paths={view.paths} />
          <Remarks lines={view.notes} />
        </>
      );
    case 'bash':
      return <BashBody view={view} run={call.observation?.run ?? null} />;
    case 'failed':
      return (
        <>
          <CodeBlock text={view.said} wrap label={words.result} lineTone={bad} />
          <Folded label={words.arguments} text={view.arguments} />
        </>
      );
    case 'other':
      return <Plain view={view} hasResult={call.result !== null} />;
  }
}

const bad = () => 'bad' as const;

interface PlainProps {
  view: Extract<CallView, { form: 'other' }>;
  hasResult: boolean;
}

/** Of tools that have no form of their own. */
function Plain({ view, hasResult }: PlainProps) {
  const { call: words } = sessionText;
  return (
    <>
      <p className={styles.remark}>{words.arguments}</p>
      <FirstLines text={view.arguments} language="json" label={words.arguments} />
      {hasResult && (
        <>
          <p className={styles.remark}>{words.result}</p>
          <FirstLines text={view.result} language={null} label={words.result} />
        </>
      )}
    </>
  );
}

function EditBody({ view }: { view: Extract<CallView, { form: 'edit' }> }) {
  const lines = useMemo(() => editLines(view.before, view.after), [view]);
  const signs = { same: ' ', add: '+', del: '-' };
  return (
    <>
      <CodeBlock
        text={lines.map(({ kind, text }) => `${signs[kind]} ${text}`).join('\n')}
        limit={EDIT_LINES}
        lineTone={(index) => {
          const kind = lines[index]?.kind;
          return kind === undefined || kind === 'same' ? null : kind;
        }}
        label={visibleLine(view.path)}
      />
      <Remarks lines={view.said.split('\n').slice(1)} />
    </>
  );
}

function Paths({ paths }: { paths: string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? paths : paths.slice(0, PATHS);
  return (
    <>
      <ul className={styles.paths}>
        {shown.map((path) => (
          <li key={path}>
            <VisibleText text={path} />
          </li>
        ))}
      </ul>
      {shown.length < paths.length && (
        <div className={styles.more}>
          <Button small variant="quiet" onPress={() => setAll(true)}>
            {sessionText.call.more(paths.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  );
}

/** What a tool says besides its result, one line each. */
function Remarks({ lines }: { lines: string[] }) {
  const there = lines.filter((line) => line.trim() !== '');
  if (there.length === 0) return null;
  return (
    <ul className={styles.remarks} aria-label={sessionText.call.remark}>
      {there.map((line, index) => (
        // eslint-disable-next-line react/no-array-index-key -- remarks of one result never move
        <li key={index}>
          <VisibleText text={line} />
        </li>
      ))}
    </ul>
  );
}

function Folded({ label, text }: { label: string; text: string }) {
  return (
    <details className={styles.details}>
      <summary>{label}</summary>
      <FirstLines text={text} language="json" label={label} />
    </details>
  );
}
