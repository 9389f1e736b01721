import type { Platform } from '../platform/platform.ts';
import { isActionId } from './actions.ts';
import { isApple } from './keys.ts';
import type { Shortcuts } from './registry.ts';

const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="combobox"]';

/** Sends the page's keys and the shell's menus to the shortcuts. */
export function listenForKeys(shortcuts: Shortcuts, platform: Platform): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { target } = event;
    // Menus, dialogs and lists have keys of their own.
    if (
      target instanceof Element &&
      target.closest('[role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]') !==
        null
    )
      return;
    const inField = target instanceof Element && target.matches(FIELDS);
    const used = shortcuts.onKey(event, { inField, apple: isApple(), nowMs: event.timeStamp });
    if (used) event.preventDefault();
  });
  platform.onMenu?.((action) => {
    if (isActionId(action)) shortcuts.run(action);
  });
}
