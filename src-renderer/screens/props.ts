import type { ModelTab, Place, SettingsTab } from '../navigation.ts';

/** What `app.tsx` gives to the screens; the others are given nothing. */
export interface SessionScreenProps {
  place: Extract<Place, { screen: 'session' }>;
}

export interface NewFixScreenProps {
  /** Already chosen, e.g. dropped on the window. */
  repository: string | null;
}

export interface ModelsScreenProps {
  /** Model whose details are open; `null` = the library alone. */
  name: string | null;
  /** Part of it that is shown; `null` = the one that was looked at last. */
  tab: ModelTab | null;
}

export interface SettingsScreenProps {
  tab: SettingsTab | null;
}
