import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton as AriaToggleButton,
  type ToggleButtonProps as AriaToggleButtonProps,
} from 'react-aria-components';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import { Tooltip } from './tooltip.tsx';

export type ButtonVariant = 'normal' | 'primary' | 'danger' | 'quiet';

interface Look {
  variant?: ButtonVariant;
  small?: boolean;
  icon?: IconName;
  /** Keys that do the same, shown in the button. */
  keys?: string;
}

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'>, Look {
  children: ReactNode;
  /** Words shown instead while it works; the button takes no second press then. */
  busy?: string | null;
  className?: string;
}

export function Button(props: ButtonProps) {
  const { variant = 'normal', small = false, icon, keys, busy = null, children, ...rest } = props;
  return (
    <AriaButton
      {...rest}
      isPending={busy !== null}
      className={classes(styles.button, styles[variant], small && styles.small, props.className)}
    >
      {icon !== undefined && <Icon name={icon} className={styles.icon} />}
      <span>{busy ?? children}</span>
      {keys !== undefined && <Kbd keys={keys} />}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  icon: IconName;
  /** What it does: its name for assistive techniques and its tooltip. */
  label: string;
  keys?: string;
  variant?: ButtonVariant;
  className?: string;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, keys, variant = 'quiet', className, ...rest } = props;
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={classes(styles.button, styles[variant], styles.square, className)}
      >
        <Icon name={icon} />
      </AriaButton>
    </Tooltip>
  );
}

export interface ToggleButtonProps
  extends Omit<AriaToggleButtonProps, 'children' | 'className'>, Look {
  children: ReactNode;
}

/** A button that stays pressed; its state is told by `aria-pressed`. */
export function ToggleButton(props: ToggleButtonProps) {
  const { variant = 'normal', small = false, icon, keys, children, ...rest } = props;
  return (
    <AriaToggleButton
      {...rest}
      className={classes(styles.button, styles[variant], styles.toggle, small && styles.small)}
    >
      {icon !== undefined && <Icon name={icon} className={styles.icon} />}
      <span>{children}</span>
      {keys !== undefined && <Kbd keys={keys} />}
    </AriaToggleButton>
  );
}
