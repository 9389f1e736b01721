/** Of the part beside the timeline. */
export const SIDE_ID = 'session-side';

/**
 * Brings the part beside the timeline into view where the page is narrow and it stands below; else it
 * is in view. What leads to a tab would seem to do nothing there.
 */
export function showSide(): void {
  document.getElementById(SIDE_ID)?.scrollIntoView({ block: 'nearest' });
}
