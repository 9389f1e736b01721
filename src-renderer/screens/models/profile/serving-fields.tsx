import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Switch } from '../../../components/toggles.tsx';
import { profileText as text } from '../../../text/en/model-profile.ts';
import { NumberMember } from './fields.tsx';
import { type Source, sourceOf, sourceOverride } from './profile-draft.ts';
import type { Draft } from './draft.ts';
import styles from './profile.module.css';

const ENGINES = ['llamacpp', 'vllm', 'sglang', 'llama-server'] as const;
const DEVICES = ['auto', 'gpu', 'cpu'] as const;
const SOURCES = ['auto', 'venv', 'program', 'container'] as const;

export function ServingFields({ draft }: { draft: Draft }) {
  return (
    <div className={styles.fields}>
      <Select
        label={text.engine}
        options={ENGINES.map((id) => ({ id, label: text.engines[id] }))}
        value={ENGINES.find((id) => id === draft.get('engine')) ?? null}
        onChange={(engine) => draft.set('engine', engine)}
      />
      <Select
        label={text.device}
        options={DEVICES.map((id) => ({ id, label: text.devices[id] }))}
        value={DEVICES.find((id) => id === draft.get('device')) ?? null}
        onChange={(device) => draft.set('device', device)}
      />
      {draft.get('engine') !== 'llamacpp' && <SourceFields draft={draft} />}
      <NumberMember
        {...{ draft, min: 1, unit: text.tokens }}
        member="contextTokens"
        label={text.contextTokens}
      />
      <NumberMember
        {...{ draft, min: 1, max: 1024 }}
        member="sequences"
        label={text.sequences}
        hint={text.sequencesHint}
      />
      <NumberMember
        {...{ draft, min: 0.05, max: 1, fraction: true }}
        member="memoryShare"
        label={text.memoryShare}
        hint={text.memoryShareHint}
      />
      <NumberMember
        {...{ draft, min: 1, max: 1024, placeholder: text.chosen }}
        member="threads"
        label={text.threads}
      />
      <NumberMember
        {...{ draft, min: 1, unit: text.minutes, placeholder: text.never }}
        member="idleMinutes"
        label={text.idleMinutes}
      />
      <div className={styles.wide}>
        <Switch
          isSelected={draft.get('prefixCaching') === true}
          onChange={(on) => draft.set('prefixCaching', on)}
        >
          {text.prefixCaching}
        </Switch>
      </div>
    </div>
  );
}

/** The built-in engine is where the app is; the others may be anywhere. */
function SourceFields({ draft }: { draft: Draft }) {
  const source = sourceOf(draft.get('source'));
  const set = (next: Source) => {
    // A change back to what is saved must look like it.
    draft.set('source', sourceOverride(next));
  };
  return (
    <>
      <Select
        label={text.source}
        options={SOURCES.map((id) => ({ id, label: text.sources[id] }))}
        value={source.kind}
        onChange={(kind) => set({ kind, value: '' })}
      />
      {source.kind === 'auto' ? (
        <span />
      ) : (
        <TextField
          code
          label={text.sourceValue[source.kind]}
          value={source.value}
          onChange={(value) => set({ kind: source.kind, value })}
        />
      )}
    </>
  );
}
