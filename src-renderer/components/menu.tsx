import type { ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import styles from './overlay.module.css';

export type MenuEntry =
  | {
      id: string;
      label: string;
      icon?: IconName;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      /** Why it is disabled, or what it does, in a second line. */
      detail?: string;
      onAction: () => void;
    }
  | 'separator';

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  entries: MenuEntry[];
}

export function Menu({ trigger, label, entries }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} placement="bottom end" offset={4}>
        <AriaMenu className={styles.list ?? ''} aria-label={label}>
          {entries.map((entry, index) =>
            entry === 'separator' ? (
              // eslint-disable-next-line react/no-array-index-key -- lines between entries have no name
              <Separator key={`separator ${index}`} className={styles.separator ?? ''} />
            ) : (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.label}
                isDisabled={entry.disabled === true}
                onAction={entry.onAction}
                className={classes(styles.item, entry.danger === true && styles.danger)}
              >
                {entry.icon === undefined ? <span /> : <Icon name={entry.icon} />}
                <span>{entry.label}</span>
                {entry.keys === undefined ? <span /> : <Kbd keys={entry.keys} />}
                {entry.detail !== undefined && (
                  <span className={styles.detail}>{entry.detail}</span>
                )}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
