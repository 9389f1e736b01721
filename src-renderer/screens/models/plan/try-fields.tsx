import { NumberField } from '../../../components/number-field.tsx';
import { Select } from '../../../components/select.tsx';
import { planText } from '../../../text/en/model-server.ts';
import { profileText } from '../../../text/en/model-profile.ts';
import styles from '../models.module.css';
import plan from './plan.module.css';

/** Values to try; `null` = as in the profile. */
export interface Tried {
  contextTokens: number | null;
  sequences: number | null;
  device: 'auto' | 'gpu' | 'cpu' | null;
}

const DEVICES = ['auto', 'gpu', 'cpu'] as const;

/** Members of the profile that are tried, by their names there. */
export function triedOverrides(tried: Tried): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tried).filter(([, value]) => value !== null));
}

export function TryFields(props: {
  tried: Tried;
  profile: Record<string, unknown>;
  onChange: (tried: Tried) => void;
}) {
  const { tried, profile, onChange } = props;
  const device = tried.device ?? DEVICES.find((one) => one === profile['device']) ?? 'auto';
  return (
    <>
      <p className={styles.soft}>{planText.tryHint}</p>
      <div className={plan.fields}>
        <NumberField
          label={planText.context}
          unit={planText.tokens}
          minValue={1}
          value={tried.contextTokens ?? numberOf(profile['contextTokens'])}
          onChange={(contextTokens) => onChange({ ...tried, contextTokens })}
        />
        <NumberField
          label={planText.sequences}
          minValue={1}
          maxValue={1024}
          value={tried.sequences ?? numberOf(profile['sequences'])}
          onChange={(sequences) => onChange({ ...tried, sequences })}
        />
        <Select
          label={planText.device}
          options={DEVICES.map((id) => ({ id, label: profileText.devices[id] }))}
          value={device}
          onChange={(chosen) => onChange({ ...tried, device: chosen })}
        />
      </div>
    </>
  );
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
