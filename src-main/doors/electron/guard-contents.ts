import type { WebContents } from './electron-module.ts';
import { isAppUrl } from './is-app-url.ts';

interface Navigation {
  preventDefault(): void;
  url: string;
}

/** What pages try to load has no business in a log at full length. */
const LONGEST_TOLD = 200;

/**
 * Keeps contents of any kind on our own pages: no navigation, redirect or frame leads elsewhere, no
 * window opens and no webview is attached. Nothing is handed to another program either.
 */
export function guardContents(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  tell: (line: string) => void,
): void {
  const judge =
    (what: string) =>
    (event: Navigation): void => {
      if (isAppUrl(event.url)) return;
      event.preventDefault();
      tell(`${what} refused: ${event.url.slice(0, LONGEST_TOLD)}`);
    };
  contents.on('will-navigate', judge('navigation'));
  contents.on('will-frame-navigate', judge('navigation of a frame'));
  contents.on('will-redirect', judge('redirect'));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    tell('webview refused');
  });
  contents.setWindowOpenHandler(({ url }) => {
    tell(`window refused: ${url.slice(0, LONGEST_TOLD)}`);
    return { action: 'deny' };
  });
}
