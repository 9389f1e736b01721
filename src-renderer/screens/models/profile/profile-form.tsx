import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PlanView } from '../../../../src-main/contract/index.ts';
import { useCall } from '../../../api/hooks.ts';
import { Banner, ErrorNote } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { planText } from '../../../text/en/model-server.ts';
import { profileText as text } from '../../../text/en/model-profile.ts';
import { useDebounced } from '../../use-debounced.ts';
import { CommandLine } from '../command-line.tsx';
import styles from '../models.module.css';
import type { Draft } from './draft.ts';
import { DrivingFields, SamplingFields } from './driving-fields.tsx';
import { FlagsEditor } from './flags-editor.tsx';
import {
  type Changes,
  flagOverrides,
  type FlagRow,
  flagRows,
  type Profile,
  valueOf,
  withChange,
} from './profile-draft.ts';
import profileStyles from './profile.module.css';
import { Notes, SaveBar } from './save-bar.tsx';
import { ServingFields } from './serving-fields.tsx';
import { useSave } from './use-save.ts';

const REST_MS = 500;

/** The members that people change; the rest is in the text. */
export function ProfileForm(props: { name: string; profile: Profile; switches: ReactNode }) {
  const { name, profile } = props;
  const [changes, setChanges] = useState<Changes>({});
  const [flags, setFlags] = useState<FlagRow[]>(() => flagRows(profile['flags']));
  const { save, isSaving, error, notes } = useSave(name);
  const flagged = flagOverrides(profile['flags'], flags);
  const overrides = {
    ...changes,
    ...(Object.keys(flagged).length === 0 ? {} : { flags: flagged }),
  };
  const count = Object.keys(changes).length + Object.keys(flagged).length;
  const draft: Draft = {
    get: (member) => valueOf(profile, changes, member),
    set: (member, value) => setChanges(withChange(profile, changes, member, value)),
  };
  const settled = useDebounced(overrides, REST_MS);
  const plan = useCall('models/plan', { name, overrides: settled }, { keep: true });
  const discard = () => {
    setChanges({});
    setFlags(flagRows(profile['flags']));
  };
  return (
    <>
      <SaveBar
        switches={props.switches}
        changed={count === 0 ? null : text.changed(count)}
        isSaving={isSaving}
        onSave={() => save({ overrides })}
        onDiscard={discard}
      />
      <Against plan={plan} refused={error} />
      <Notes notes={notes} />
      <div className={profileStyles.form}>
        <Section title={text.groups.serving}>
          <ServingFields draft={draft} />
        </Section>
        <div className={styles.parts}>
          <Section title={text.groups.driving}>
            <DrivingFields draft={draft} />
          </Section>
          <Section title={text.groups.sampling}>
            <SamplingFields draft={draft} />
          </Section>
        </div>
        <div className={styles.parts}>
          <Section title={text.groups.flags}>
            <FlagsEditor rows={flags} onChange={setFlags} />
          </Section>
        </div>
      </div>
      {plan.data !== undefined && plan.error === null && (
        <CommandLine
          title={text.command}
          words={plan.data.commandLine}
          hint={planText.commandHint}
        />
      )}
    </>
  );
}

/** What stands against the values, saved or not; in sight while they are typed. */
function Against({ plan, refused }: { plan: UseQueryResult<PlanView>; refused: Error | null }) {
  const error = refused ?? plan.error;
  const faults = error === null ? (plan.data?.faults ?? []) : [];
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {faults.length > 0 && (
        <Banner tone="bad">
          <b>{planText.faults}</b>
          <ul className={styles.list}>
            {faults.map((fault) => (
              <li key={fault}>
                <VisibleText text={fault} />
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  );
}
