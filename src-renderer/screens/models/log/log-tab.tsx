import { useMemo, useState } from 'react';
import type { ServerStatus } from '../../../../src-main/contract/index.ts';
import { useWatch } from '../../../api/hooks.ts';
import { Button, ToggleButton } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { EmptyState, ErrorNote, Loading } from '../../../components/notes.tsx';
import { SearchField } from '../../../components/text-field.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { useKeysOf, useActionKey } from '../../../shortcuts/use-action-key.ts';
import { logText } from '../../../text/en/model-server.ts';
import { visibleLine } from '../../../visible.ts';
import styles from './log.module.css';
import { filtered, firstFault, type LogLine, numbered, shownOf } from './log-lines.ts';
import { LogView } from './log-view.tsx';

const FIRST_LINES = 5_000;
const MOST_LINES = 20_000;
/** The core looks at the file some times a second; one batch a look. */
const MOST_BATCHES = 20_000;

/** The log of the server's last start, as it is written. */
export function LogTab({ status }: { status: ServerStatus }) {
  const { name, failure } = status;
  const log = useWatch('models/logs', { name, lines: FIRST_LINES }, MOST_BATCHES);
  const [words, setWords] = useState('');
  const [follow, setFollow] = useState(true);
  const [shown, setShown] = useState<number | null>(null);
  useActionKey('session.follow', () => setFollow(!follow));
  const lines = useMemo(() => numbered(log.items, MOST_LINES), [log.items]);
  const found = useMemo(() => filtered(lines, words), [lines, words]);
  const fault = useMemo(() => firstFault(lines, failure?.line ?? null), [lines, failure]);
  const keys = useKeysOf('session.follow');
  const goTo = (line: number) => {
    setWords('');
    setFollow(false);
    setShown(line);
  };
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <div className={styles.filter}>
          <SearchField label={logText.filter} value={words} onChange={setWords} />
        </div>
        <span className={styles.count}>{logText.count(found.length, lines.length)}</span>
        <span className={styles.grow} />
        <ToggleButton isSelected={follow} onChange={setFollow} keys={keys}>
          {logText.follow}
        </ToggleButton>
        <CopyButton text={lines.map(({ text }) => text).join('\n')} label={logText.copy} />
      </div>
      {fault !== null && <FirstFault fault={fault} onShow={() => goTo(fault.number)} />}
      {log.state === 'failed' && <ErrorNote error={log.error} />}
      {lines.length === 0 ? (
        <Nothing isOpening={log.state === 'idle'} />
      ) : found.length === 0 ? (
        <p className={styles.none}>{logText.noMatch}</p>
      ) : (
        <LogView
          lines={found}
          follow={follow}
          onFollow={setFollow}
          show={shown}
          marked={fault?.number ?? null}
        />
      )}
      {status.logFile !== null && <KeptIn file={status.logFile} />}
    </div>
  );
}

function Nothing({ isOpening }: { isOpening: boolean }) {
  if (isOpening) return <Loading>{logText.loading}</Loading>;
  return (
    <EmptyState icon="terminal" title={logText.title}>
      {logText.none}
    </EmptyState>
  );
}

function FirstFault({ fault, onShow }: { fault: LogLine; onShow: () => void }) {
  const text = shownOf(fault);
  return (
    <div className={styles.fault}>
      <b>{logText.firstError}</b>
      <code className="cut" title={visibleLine(text)}>
        <VisibleText text={text} />
      </code>
      <Button small onPress={onShow}>
        {logText.jump}
      </Button>
    </div>
  );
}

function KeptIn({ file }: { file: string }) {
  return (
    <p className={styles.file}>
      {logText.file}{' '}
      <code>
        <VisibleText text={file} />
      </code>
    </p>
  );
}
