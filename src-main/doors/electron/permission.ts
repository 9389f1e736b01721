import { isAppUrl } from './is-app-url.ts';

export interface Verdict {
  allowed: boolean;
  reason: string;
}

/** Copy buttons write text; that is all that a page of ours asks of the system. */
const GRANTED: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'copy buttons write plain text',
};

/** Electron grants everything unless told otherwise; what is not named here is denied too. */
const DENIED: Readonly<Record<string, string>> = {
  'background-sync': 'nothing is fetched, at any time',
  'clipboard-read': 'people paste by themselves',
  'deprecated-sync-clipboard-read': 'people paste by themselves',
  'display-capture': 'no page looks at the screen',
  fileSystem: 'files are picked in dialogs of the main process',
  fullscreen: 'the menu does this, no page',
  geolocation: 'where the machine stands is of no use here',
  hid: 'no devices are used',
  'idle-detection': 'nobody is watched',
  keyboardLock: 'the system keeps its keys',
  'local-fonts': 'the system fonts are named, not listed',
  'media-key-system': 'nothing protected is played',
  media: 'no camera and no microphone',
  mediaKeySystem: 'nothing protected is played',
  midi: 'no devices are used',
  midiSysex: 'no devices are used',
  notifications: 'the main process shows them, so that a click finds its window',
  openExternal: 'nothing outside the app is opened',
  pointerLock: 'the pointer is never taken',
  sensors: 'no devices are used',
  serial: 'no devices are used',
  'speaker-selection': 'nothing is played',
  'storage-access': 'there is one origin only',
  'top-level-storage-access': 'there is one origin only',
  unknown: 'what has no name is not granted',
  usb: 'no devices are used',
  'window-management': 'windows are placed by the main process',
};

/** Whether a page may do something, and why. Pure; for Electron's request and check handlers alike. */
export function permission(name: string, url: string): Verdict {
  if (!isAppUrl(url)) return { allowed: false, reason: 'it is no page of ours' };
  const granted = Object.hasOwn(GRANTED, name) ? GRANTED[name] : undefined;
  if (granted !== undefined) return { allowed: true, reason: granted };
  const denied = Object.hasOwn(DENIED, name) ? DENIED[name] : undefined;
  return { allowed: false, reason: denied ?? 'nobody has thought about it yet' };
}
