import { NumberField } from '../../components/number-field.tsx';
import { TextArea, TextField } from '../../components/text-field.tsx';
import { newFixText } from '../../text/en/new-fix.ts';
import { LEAST_LIMITS } from '../../../src-main/contract/index.ts';
import type { FixForm } from './fix-form.ts';
import { ScaffoldField } from './model-fields.tsx';
import styles from './new-fix.module.css';

export interface MoreOptionsProps {
  form: FixForm;
  set: (part: Partial<FixForm>) => void;
}

const GIB = 1024 ** 3;

/** What is seldom changed, folded; empty fields are as usual. */
export function MoreOptions({ form, set }: MoreOptionsProps) {
  return (
    <details className={styles.more} open={isChanged(form)}>
      <summary>{newFixText.more}</summary>
      <div className={styles.fields}>
        <ScaffoldField value={form.scaffold} onChange={(scaffold) => set({ scaffold })} />
        <TextArea
          label={newFixText.protect}
          hint={newFixText.protectHint}
          placeholder={newFixText.protectPlaceholder}
          rows={2}
          code
          value={form.protect}
          onChange={(protect) => set({ protect })}
        />
        <Numbers form={form} set={set} />
      </div>
    </details>
  );
}

function Numbers({ form, set }: MoreOptionsProps) {
  const { usual } = newFixText;
  return (
    <div className={styles.pair}>
      <NumberField
        label={newFixText.maxSteps}
        placeholder={usual}
        value={form.maxSteps}
        onChange={(maxSteps) => set({ maxSteps })}
        minValue={1}
      />
      <NumberField
        label={newFixText.timeLimit}
        placeholder={usual}
        unit={newFixText.minutes}
        value={form.minutes}
        onChange={(minutes) => set({ minutes })}
        minValue={1}
      />
      <NumberField
        label={newFixText.memory}
        placeholder={usual}
        unit={newFixText.gib}
        value={form.memoryGib}
        onChange={(memoryGib) => set({ memoryGib })}
        minValue={LEAST_LIMITS.memoryBytes / GIB}
        step={0.25}
      />
      <NumberField
        label={newFixText.cpus}
        placeholder={usual}
        value={form.cpus}
        onChange={(cpus) => set({ cpus })}
        minValue={0.25}
        step={0.25}
      />
      <NumberField
        label={newFixText.seed}
        placeholder={usual}
        value={form.seed}
        onChange={(seed) => set({ seed })}
        minValue={0}
      />
      <TextField
        label={newFixText.image}
        hint={newFixText.imageHint}
        placeholder={usual}
        value={form.image}
        onChange={(image) => set({ image })}
      />
    </div>
  );
}

function isChanged({
  scaffold,
  protect,
  maxSteps,
  minutes,
  memoryGib,
  cpus,
  seed,
  image,
}: FixForm) {
  return (
    [scaffold, protect, image].some((text) => text !== '') ||
    [maxSteps, minutes, memoryGib, cpus, seed].some((value) => value !== null)
  );
}
