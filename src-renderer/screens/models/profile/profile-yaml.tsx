import { type ReactNode, useRef, useState } from 'react';
import { errorFacts } from '../../../api/call-error.ts';
import { useCall } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Banner, ErrorNote } from '../../../components/notes.tsx';
import { TextArea } from '../../../components/text-field.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { profileText as text } from '../../../text/en/model-profile.ts';
import { CommandLine } from '../command-line.tsx';
import { type YamlFault, yamlFaults } from './profile-draft.ts';
import styles from './profile.module.css';
import { Notes, SaveBar } from './save-bar.tsx';
import { useSave } from './use-save.ts';

const MOST_ROWS = 40;

/** The whole profile as its text; faults stand with their lines, and lead to them. */
export function ProfileYaml(props: { name: string; saved: string; switches: ReactNode }) {
  const { name, saved } = props;
  const [yaml, setYaml] = useState(saved);
  const { save, isSaving, error, notes } = useSave(name);
  const area = useRef<HTMLTextAreaElement>(null);
  const plan = useCall('models/plan', { name, overrides: {} });
  const changed = changedLines(saved, yaml);
  return (
    <>
      <SaveBar
        switches={props.switches}
        changed={changed === 0 ? null : text.changedLines(changed)}
        isSaving={isSaving}
        onSave={() => save({ yaml })}
        onDiscard={() => setYaml(saved)}
      />
      <Notes notes={notes} />
      {error !== null && <Refused error={error} onLine={(line) => goTo(area.current, line)} />}
      <div className={styles.editor}>
        <TextArea
          ref={area}
          code
          label={text.yamlLabel}
          hint={text.yamlHint}
          rows={Math.min(MOST_ROWS, yaml.split('\n').length + 1)}
          value={yaml}
          onChange={setYaml}
          spellCheck="false"
        />
      </div>
      {plan.data !== undefined && (
        <CommandLine title={text.command} words={plan.data.commandLine} hint={text.commandSaved} />
      )}
    </>
  );
}

function Refused({ error, onLine }: { error: unknown; onLine: (line: number) => void }) {
  const { code, message, next } = errorFacts(error);
  if (code !== 'profile_invalid') return <ErrorNote error={error} />;
  return (
    <Banner tone="bad">
      <b>{text.faults}</b>
      <ul className={styles.faults}>
        {yamlFaults(message).map((fault) => (
          <FaultRow key={fault.text} fault={fault} onLine={onLine} />
        ))}
      </ul>
      <p>
        <VisibleText text={next} />
      </p>
    </Banner>
  );
}

function FaultRow({ fault, onLine }: { fault: YamlFault; onLine: (line: number) => void }) {
  const { line } = fault;
  return (
    <li>
      {line !== null && (
        <Button small variant="quiet" onPress={() => onLine(line)}>
          {text.faultAt(line)}
        </Button>
      )}
      <VisibleText text={fault.text} />
    </li>
  );
}

/** Lines that are not as they were, counted place by place: enough to say that something is changed. */
function changedLines(before: string, after: string): number {
  if (before === after) return 0;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const longer = Math.max(old.length, now.length);
  return Array.from({ length: longer }).filter((_, index) => old[index] !== now[index]).length;
}

function goTo(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4);
}
