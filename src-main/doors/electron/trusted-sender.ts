import type { WebFrameMain } from './electron-module.ts';
import { isAppUrl } from './is-app-url.ts';

/** The part of an IPC event that says who sent it. */
export interface SenderOf {
  sender: { readonly id: number };
  senderFrame: Pick<WebFrameMain, 'parent' | 'url'> | null;
}

/** Why a message is refused; `null` for the page of one of our windows, in its main frame. */
export function senderFault(
  { sender, senderFrame }: SenderOf,
  known: ReadonlySet<number>,
): string | null {
  if (senderFrame === null) return 'the frame that sent it is gone';
  if (!known.has(sender.id)) return 'it comes from no window of ours';
  if (senderFrame.parent !== null) return 'it comes from a frame inside the page';
  if (!isAppUrl(senderFrame.url)) return 'it comes from no page of ours';
  return null;
}
