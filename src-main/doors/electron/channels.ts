/** Names on Electron's own channel, shared by the preload and the main process; all there are. */
export const CHANNELS = {
  /** Page to main, with one end of a MessagePort: frames of the contract. */
  connect: 'vivarium:connect',
  pick: 'vivarium:pick',
  notify: 'vivarium:notify',
  badge: 'vivarium:badge',
  window: 'vivarium:window',
  /** Main to page: the tag of a note that was clicked. */
  noteOpened: 'vivarium:note-opened',
  /** Main to page: an action of the shortcut table. */
  menu: 'vivarium:menu',
} as const;

/** Of a page that was reloaded in between; kept small, since a page only counts up. */
export type PickKind = 'folder' | 'file' | 'saveFolder';
