import { visible } from '../lib/index.ts';

/**
 * A patch as text for terminals and logs: escapes, control, bidirectional and zero-width characters
 * are shown as escapes, carriage returns too, since a change may be of line ends alone. The patch's
 * own bytes are what is exported, never this.
 */
export function showPatch(bytes: Uint8Array): string {
  return visible(bytes);
}
