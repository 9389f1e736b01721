/** Tabs of a session's screen, in their order. */
export const SESSION_TABS = [
  'timeline',
  'review',
  'verification',
  'files',
  'charts',
  'attempts',
  'provenance',
] as const;

export type SessionTab = (typeof SESSION_TABS)[number];

/** Tabs of a model, in their order. */
export const MODEL_TABS = ['facts', 'plan', 'measures', 'log', 'profile', 'bench'] as const;

export type ModelTab = (typeof MODEL_TABS)[number];

/** Tabs of the settings, in their order. */
export const SETTINGS_TABS = ['general', 'keys', 'privacy', 'about'] as const;

export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Every place there is. The hash of the page holds it, so reload and back keep it. */
export type Place =
  | { screen: 'sessions' }
  | {
      screen: 'session';
      session: string;
      tab: SessionTab;
      step: number | null;
      attempt: number | null;
      /** The tab has the whole page, without the timeline beside it. */
      wide?: boolean;
    }
  | { screen: 'new'; repository: string | null }
  | { screen: 'models' }
  /** Without a tab, the one that was looked at last. */
  | { screen: 'model'; name: string; tab?: ModelTab }
  | { screen: 'environment' }
  | { screen: 'settings'; tab?: SettingsTab };

export const HOME: Place = { screen: 'sessions' };

/** The place of a session's screen, with what is left out at its start. */
export function sessionPlace(
  session: string,
  rest: {
    tab?: SessionTab;
    step?: number | null;
    attempt?: number | null;
    wide?: boolean;
  } = {},
): Place {
  const { tab = 'timeline', step = null, attempt = null, wide = false } = rest;
  return { screen: 'session', session, tab, step, attempt, ...(wide && { wide }) };
}

/** Reads a hash; whatever is not understood leads to the list of sessions. Throws nothing. */
export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  const [screen = '', name, tab] = parts.map(decoded);
  const params = new URLSearchParams(query);
  switch (screen) {
    case 'session':
      if (name === undefined || name === '') return HOME;
      return sessionPlace(name, {
        tab: SESSION_TABS.find((known) => known === tab) ?? 'timeline',
        step: wholeNumber(params.get('step')),
        attempt: wholeNumber(params.get('attempt')),
        wide: params.get('wide') === '1',
      });
    case 'new':
      return { screen: 'new', repository: params.get('repository') };
    case 'models':
      if (name === undefined || name === '') return { screen: 'models' };
      return { screen: 'model', name, ...tabOf(MODEL_TABS, tab) };
    case 'environment':
      return { screen: 'environment' };
    case 'settings':
      return { screen: 'settings', ...tabOf(SETTINGS_TABS, name) };
    default:
      return HOME;
  }
}

/** The hash of a place, with its `#`. `parsePlace(formatPlace(place))` is the place again. */
export function formatPlace(place: Place): string {
  switch (place.screen) {
    case 'session':
      return formatSession(place);
    case 'model':
      return `#/models/${encodeURIComponent(place.name)}${tabPath(place.tab)}`;
    case 'settings':
      return `#/settings${tabPath(place.tab)}`;
    case 'new':
      return `#/new${queryOf({ repository: place.repository })}`;
    case 'sessions':
    case 'models':
    case 'environment':
      return `#/${place.screen}`;
  }
}

/** Two places on the same screen about the same thing: moving between them keeps the focus. */
export function sameScreen(one: Place, other: Place): boolean {
  if (one.screen === 'session' && other.screen === 'session') return one.session === other.session;
  if (one.screen === 'model' && other.screen === 'model') return one.name === other.name;
  return one.screen === other.screen;
}

function formatSession(place: Extract<Place, { screen: 'session' }>): string {
  const tab = place.tab === 'timeline' ? '' : `/${place.tab}`;
  const query = queryOf({
    ...{ step: place.step, attempt: place.attempt },
    wide: place.wide === true ? 1 : null,
  });
  return `#/session/${encodeURIComponent(place.session)}${tab}${query}`;
}

function tabOf<Tab extends string>(tabs: readonly Tab[], text: string | undefined): { tab?: Tab } {
  const tab = tabs.find((known) => known === text);
  return tab === undefined ? {} : { tab };
}

function tabPath(tab: string | undefined): string {
  return tab === undefined ? '' : `/${tab}`;
}

function queryOf(members: Record<string, string | number | null>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== null) params.set(name, String(value));
  }
  return params.size === 0 ? '' : `?${params}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
