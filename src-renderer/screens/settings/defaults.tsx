import { useCall } from '../../api/hooks.ts';
import { NumberField } from '../../components/number-field.tsx';
import { Section } from '../../components/page.tsx';
import { Select } from '../../components/select.tsx';
import { settingsText } from '../../text/en/settings.ts';
import { visibleLine } from '../../visible.ts';
import type { GeneralProps } from './general-props.ts';
import styles from './settings.module.css';

const GIB = 2 ** 30;
/** No model is called that: names are lower case. */
const NONE = 'NONE';

/** What a new fix begins with. */
export function Defaults({ settings, onChange }: GeneralProps) {
  const text = settingsText.defaults;
  const models = useCall('models/list', {});
  const { defaults } = settings;
  const set = (changes: Partial<typeof defaults>) =>
    onChange({ defaults: { ...defaults, ...changes } });
  const names = (models.data ?? []).map(({ model }) => model.name);
  // A model that is set but gone is shown as it is, so that a person sees why nothing starts.
  const all =
    defaults.model === null || names.includes(defaults.model) ? names : [defaults.model, ...names];
  return (
    <Section title={text.title}>
      <p className={styles.soft}>{text.hint}</p>
      <div className={styles.fields}>
        <Select
          label={text.model}
          options={[
            { id: NONE, label: text.noModel },
            ...all.map((name) => ({ id: name, label: visibleLine(name) })),
          ]}
          value={defaults.model ?? NONE}
          onChange={(model) => set({ model: model === NONE ? null : model })}
        />
        <NumberField
          label={text.attempts}
          minValue={1}
          maxValue={100}
          value={defaults.attempts}
          onChange={(attempts) => set({ attempts: attempts ?? 1 })}
        />
        <NumberField
          label={text.memory}
          unit={text.memoryUnit}
          minValue={0.25}
          step={0.25}
          placeholder={text.chosen}
          value={defaults.memoryBytes === null ? null : defaults.memoryBytes / GIB}
          onChange={(gib) => set({ memoryBytes: gib === null ? null : Math.round(gib * GIB) })}
        />
        <NumberField
          label={text.cpus}
          minValue={0.5}
          step={0.5}
          placeholder={text.chosen}
          value={defaults.cpus}
          onChange={(cpus) => set({ cpus })}
        />
      </div>
    </Section>
  );
}
