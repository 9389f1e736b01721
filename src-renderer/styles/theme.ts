import type { Settings } from '../../src-main/contract/index.ts';

export type Theme = Settings['theme'];

const QUERIES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'];
const STORED = 'vivarium.look';

/** Theme and zoom as attributes and font size of the page's root. */
export function applyLook({ theme, zoom }: { theme: Theme; zoom: number }): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
  const contrast = theme === 'contrast' || matchMedia('(prefers-contrast: more)').matches;
  if (contrast) root.dataset['contrast'] = '';
  else delete root.dataset['contrast'];
  root.style.fontSize = zoom === 100 ? '' : `${zoom}%`;
  // The next start has it before the settings come, so that nothing flashes.
  remember({ theme, zoom });
}

/** Theme and zoom of the last time; the system's where there are none. */
export function rememberedLook(): { theme: Theme; zoom: number } {
  const usual = { theme: 'system', zoom: 100 } as const;
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof found !== 'object' || found === null) return usual;
    const { theme, zoom } = found as { theme?: Theme; zoom?: number };
    const known = theme === 'light' || theme === 'dark' || theme === 'contrast' ? theme : 'system';
    return {
      theme: known,
      zoom: typeof zoom === 'number' && zoom >= 60 && zoom <= 200 ? zoom : 100,
    };
  } catch {
    return usual;
  }
}

/** Tells when colours changed, by the settings or by the system. Returns what ends it. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, {
    attributeFilter: ['data-theme', 'data-contrast', 'style'],
  });
  const queries = QUERIES.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener('change', listener);
  };
}

function remember(look: { theme: Theme; zoom: number }): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(look));
  } catch {
    // A browser that keeps nothing shows the system's theme for a moment.
  }
}
