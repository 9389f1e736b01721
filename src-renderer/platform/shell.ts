import type { FramePort } from '../api/frame-port.ts';
import { browserPlatform } from './browser.ts';
import type { Platform } from './platform.ts';

/** What a shell around the page put there before the page began; a browser puts nothing. */
export type ShellBridge = FramePort & { platform: Platform };

/** The shell's bridge, or `null` in a browser. */
export function shellBridge(): ShellBridge | null {
  const { vivarium } = globalThis as { vivarium?: ShellBridge };
  return vivarium ?? null;
}

/** What the shell can do, and for the rest what a page can by itself. */
export function platformOf(bridge: ShellBridge | null): Platform {
  return { ...browserPlatform(), ...bridge?.platform };
}
