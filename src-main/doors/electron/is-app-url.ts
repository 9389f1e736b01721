/** Where the pages come from, and the only place that anything may be loaded from. */
export const APP_ORIGIN = 'app://ui';
export const APP_PAGE = `${APP_ORIGIN}/`;

/** Whether a URL is one of our own pages. Pure; every door inside Electron asks this one. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed?.protocol === 'app:' &&
    // With a port, or in capitals, it is another origin.
    parsed.host === 'ui' &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

/**
 * Whether a request may be made at all: for our own files, what a page made itself, and, where
 * developers look, for their tools.
 */
export function isAllowedRequest(url: string, { devTools }: { devTools: boolean }): boolean {
  if (url.startsWith('data:')) return true;
  if (url.startsWith('blob:')) return isAppUrl(url.slice('blob:'.length));
  if (devTools && url.startsWith('devtools://devtools/')) return true;
  return isAppUrl(url);
}
