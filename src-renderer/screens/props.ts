import type { Place } from '../navigation.ts';

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
}
