import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
  Switch as AriaSwitch,
  type SwitchProps as AriaSwitchProps,
} from 'react-aria-components';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

export interface CheckboxProps extends Omit<AriaCheckboxProps, 'children' | 'className'> {
  children: ReactNode;
}

/** One of several that may be chosen, or a part of a form. */
export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className={styles.choice ?? ''}>
      <span className={styles.box}>
        <Icon name="check" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

export interface SwitchProps extends Omit<AriaSwitchProps, 'children' | 'className'> {
  children: ReactNode;
}

/** Works at once, without a form being sent. */
export function Switch({ children, ...rest }: SwitchProps) {
  return (
    <AriaSwitch {...rest} className={styles.choice ?? ''}>
      <span className={styles.track}>
        <span className={styles.thumb} />
      </span>
      <span>{children}</span>
    </AriaSwitch>
  );
}
