import type { ReactNode, Ref } from 'react';
import {
  FieldError,
  Input,
  Label,
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
  Button as AriaButton,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';
import { componentsText } from '../text/en/components.ts';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

/** What every field has around its control. `error` both shows and marks it as invalid. */
export interface FieldFrame {
  label: string;
  /** Named for assistive techniques only: where a heading or column says the same. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | null;
}

export interface TextFieldProps
  extends Omit<AriaTextFieldProps, 'children' | 'className'>, FieldFrame {
  placeholder?: string;
  code?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, hint, error = null, placeholder, code, ref, ...rest } = props;
  return (
    <AriaTextField
      {...rest}
      {...labelProps(label, hideLabel)}
      isInvalid={error !== null}
      className={styles.field ?? ''}
    >
      {!hideLabel && <Label className={styles.label ?? ''}>{label}</Label>}
      <Input
        ref={ref ?? null}
        className={classes(styles.input, code === true && styles.code)}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

export interface TextAreaProps
  extends Omit<AriaTextFieldProps, 'children' | 'className'>, FieldFrame {
  placeholder?: string;
  rows?: number;
  code?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea(props: TextAreaProps) {
  const {
    label,
    hideLabel = false,
    hint,
    error = null,
    placeholder,
    rows,
    code,
    ref,
    ...rest
  } = props;
  return (
    <AriaTextField
      {...rest}
      {...labelProps(label, hideLabel)}
      isInvalid={error !== null}
      className={styles.field ?? ''}
    >
      {!hideLabel && <Label className={styles.label ?? ''}>{label}</Label>}
      <AriaTextArea
        ref={ref ?? null}
        rows={rows ?? 6}
        className={classes(styles.input, styles.area, code === true && styles.code)}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

export interface SearchFieldProps extends Omit<AriaSearchFieldProps, 'children' | 'className'> {
  label: string;
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
}

/** Escape empties it. */
export function SearchField({ label, placeholder, ref, ...rest }: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} aria-label={label} className={styles.search ?? ''}>
      <div className={styles.group}>
        <Icon name="search" />
        <Input
          ref={ref ?? null}
          className={styles.input ?? ''}
          placeholder={placeholder ?? label}
        />
        <AriaButton className={styles.side ?? ''} aria-label={componentsText.clear}>
          <Icon name="close" />
        </AriaButton>
      </div>
    </AriaSearchField>
  );
}

/** Hint and error of a field, tied to its control. */
export function FieldNotes({ hint, error }: { hint?: ReactNode; error: string | null }) {
  return (
    <>
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error ?? ''}</FieldError>
    </>
  );
}

/** A label that is only told, where it is not shown. */
export function labelProps(label: string, hidden: boolean): { 'aria-label'?: string } {
  return hidden ? { 'aria-label': label } : {};
}
