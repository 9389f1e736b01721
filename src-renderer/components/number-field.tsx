import {
  Button,
  Group,
  Input,
  Label,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from 'react-aria-components';
import styles from './field.module.css';
import { Icon } from './icon.tsx';
import { type FieldFrame, FieldNotes, labelProps } from './text-field.tsx';
import { componentsText } from '../text/en/components.ts';

export interface NumberFieldProps
  extends Omit<AriaNumberFieldProps, 'children' | 'className' | 'value' | 'onChange'>, FieldFrame {
  /** `null` = empty: what is left out comes from elsewhere. */
  value: number | null;
  onChange: (value: number | null) => void;
  placeholder?: string;
  /** Shown behind the number: `GiB`, `steps`. */
  unit?: string;
}

export function NumberField(props: NumberFieldProps) {
  const {
    label,
    hideLabel = false,
    hint,
    error = null,
    value,
    onChange,
    placeholder,
    unit,
    ...rest
  } = props;
  return (
    <AriaNumberField
      {...rest}
      {...labelProps(label, hideLabel)}
      // NaN is react-aria's empty.
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      isInvalid={error !== null}
      className={styles.field ?? ''}
    >
      {!hideLabel && <Label className={styles.label ?? ''}>{label}</Label>}
      <Group className={styles.group ?? ''}>
        <Input
          className={styles.input ?? ''}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
        <Button slot="decrement" className={styles.side ?? ''} aria-label={componentsText.decrease}>
          <Icon name="minus" />
        </Button>
        <Button slot="increment" className={styles.side ?? ''} aria-label={componentsText.increase}>
          <Icon name="plus" />
        </Button>
      </Group>
      <FieldNotes hint={hint} error={error} />
    </AriaNumberField>
  );
}
