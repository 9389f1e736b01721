import { useMemo } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Duration } from '../../../components/figures.tsx';
import { Icon } from '../../../components/icon.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatSize } from '../../../format.ts';
import { componentsText } from '../../../text/en/components.ts';
import { sessionText } from '../../../text/en/session.ts';
import { visibleLine } from '../../../visible.ts';
import { type CallView, callSubject, callView } from '../record/call-view.ts';
import type { StepCall } from '../record/timeline.ts';
import { CallBody } from './call-body.tsx';
import { useFold } from './folds.ts';
import styles from './timeline.module.css';

/** A call: what was asked of which tool, how it went, and its contents in the tool's own form. */
export function CallCard({ call, foldKey }: { call: StepCall; foldKey: string }) {
  const view = useMemo(() => callView(call), [call]);
  const [open, toggle] = useFold(foldKey, true);
  const subject = useMemo(() => callSubject(call), [call]);
  const copied = view.form === 'bash' ? view.command : subject;
  return (
    // No landmark of its own: a long session has hundreds, many of them alike.
    <div
      className={styles.call}
      role="group"
      aria-label={sessionText.call.label(visibleLine(call.name), visibleLine(subject))}
      data-failed={call.failed || undefined}
    >
      <div className={styles.callHead}>
        <button type="button" className={styles.callFold} aria-expanded={open} onClick={toggle}>
          <Icon name={open ? 'chevronDown' : 'chevronRight'} />
          <span className={styles.tool}>
            <VisibleText text={call.name} />
          </span>
          <code className="cut" title={visibleLine(subject)}>
            <VisibleText text={subject} />
          </code>
        </button>
        <span className={styles.callSide}>
          <Said call={call} view={view} />
          {call.observation !== null && <Duration ms={call.observation.durationMs} />}
          {copied !== '' && <CopyButton text={copied} />}
        </span>
      </div>
      {open && (
        <div className={styles.callBody}>
          <CallBody call={call} view={view} />
        </div>
      )}
    </div>
  );
}

/** How it went, in a word or two. */
function Said({ call, view }: { call: StepCall; view: CallView }) {
  const { call: words } = sessionText;
  const { observation } = call;
  if (observation === null) return <span>{words.notRun}</span>;
  if (observation.run !== undefined && view.form === 'bash') {
    const { exitCode, signal, timedOut, outOfMemory } = observation.run;
    const how = timedOut
      ? componentsText.timedOut
      : outOfMemory
        ? componentsText.outOfMemory
        : exitCode === null
          ? componentsText.signal(signal ?? '?')
          : componentsText.exitCode(exitCode);
    return <StateMark kind="test" state={call.failed ? 'failed' : 'passed'} words={how} />;
  }
  if (observation.isError) return <StateMark kind="test" state="failed" words={words.error} />;
  const said = saidOf(view);
  return said === null ? null : <span className="numbers">{said}</span>;
}

function saidOf(view: CallView): string | null {
  const { call: words } = sessionText;
  switch (view.form) {
    case 'read': {
      if (view.text === '') return words.empty;
      return words.lines(view.firstLine, view.firstLine + view.text.split('\n').length - 1);
    }
    case 'edit': {
      const count = Number(/\((\d+) replacements?\)\./.exec(view.said)?.[1] ?? 1);
      return view.all
        ? `${words.replacements(count)}, ${words.everywhere}`
        : words.replacements(count);
    }
    case 'write':
      return words.written(formatSize(new TextEncoder().encode(view.text).length));
    case 'glob':
      return words.files(view.paths.length);
    case 'bash':
    case 'failed':
    case 'other':
      return null;
  }
}
