import type { ReactNode } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  Group,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { componentsText } from '../text/en/components.ts';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';
import overlay from './overlay.module.css';
import { type FieldFrame, FieldNotes, labelProps } from './text-field.tsx';

export interface Option<Id extends string> {
  id: Id;
  label: string;
  detail?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<Id extends string> extends FieldFrame {
  options: Array<Option<Id>>;
  value: Id | null;
  onChange: (id: Id) => void;
  placeholder?: string;
  isDisabled?: boolean;
}

export function Select<Id extends string>(props: SelectProps<Id>) {
  const { label, hideLabel = false, hint, error = null, options, value, onChange } = props;
  return (
    <AriaSelect
      {...labelProps(label, hideLabel)}
      value={value}
      onChange={(key) => {
        const option = options.find(({ id }) => id === key);
        if (option !== undefined) onChange(option.id);
      }}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== null}
      className={styles.field ?? ''}
      {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
    >
      {!hideLabel && <Label className={styles.label ?? ''}>{label}</Label>}
      <Button className={classes(styles.input, styles.trigger)}>
        <SelectValue className={styles.value ?? ''}>
          {({ selectedText, defaultChildren }) => selectedText ?? defaultChildren}
        </SelectValue>
        <Icon name="chevronDown" />
      </Button>
      <FieldNotes hint={hint} error={error} />
      <Popover className={overlay.popover ?? ''} offset={4}>
        <Options options={options} />
      </Popover>
    </AriaSelect>
  );
}

export interface ComboBoxProps extends FieldFrame {
  /** Proposals; any other text may be typed, too. */
  options: Array<Option<string>>;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
  code?: boolean;
  isDisabled?: boolean;
}

/** A text field with proposals. */
export function ComboBox(props: ComboBoxProps) {
  const { label, hideLabel = false, hint, error = null, options, value, onChange } = props;
  return (
    <AriaComboBox
      {...labelProps(label, hideLabel)}
      allowsCustomValue
      menuTrigger="focus"
      inputValue={value}
      onInputChange={onChange}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== null}
      className={styles.field ?? ''}
    >
      {!hideLabel && <Label className={styles.label ?? ''}>{label}</Label>}
      <Group className={styles.group ?? ''}>
        <Input
          className={classes(styles.input, props.code === true && styles.code)}
          {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        />
        <Button className={styles.side ?? ''} aria-label={componentsText.showList}>
          <Icon name="chevronDown" />
        </Button>
      </Group>
      <FieldNotes hint={hint} error={error} />
      <Popover className={overlay.popover ?? ''} offset={4}>
        <Options options={options} />
      </Popover>
    </AriaComboBox>
  );
}

function Options<Id extends string>({ options }: { options: Array<Option<Id>> }) {
  return (
    <ListBox
      className={overlay.list ?? ''}
      renderEmptyState={() => <div className={overlay.empty}>{componentsText.noMatches}</div>}
    >
      {options.map(({ id, label, detail, disabled }) => (
        <ListBoxItem
          key={id}
          id={id}
          textValue={label}
          isDisabled={disabled ?? false}
          className={overlay.item ?? ''}
        >
          {({ isSelected }) => (
            <>
              {isSelected ? <Icon name="check" /> : <span />}
              <span>{label}</span>
              <span />
              {detail !== undefined && <span className={overlay.detail}>{detail}</span>}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}
