import { createContext, useContext } from 'react';
import type { OutputOf, SessionResult, StoredEvent } from '../../../src-main/contract/index.ts';
import type { Activity } from '../../api/activities.ts';
import type { SessionScreenProps } from '../props.ts';
import type { SharedValue } from './shared-value.ts';

export type SessionHalf = 'timeline' | 'side';

/** What all parts of the screen know of the session. */
export interface SessionView {
  place: SessionScreenProps['place'];
  got: OutputOf<'sessions/get'>;
  events: readonly StoredEvent[];
  /** The whole record is there, not only its first page. */
  complete: boolean;
  /** `null` before the first one starts. */
  attempt: SessionResult['attempts'][number] | null;
  /** The shown attempt runs. */
  live: boolean;
  activity: Activity | undefined;
  /** Step under the pointer, in the timeline or in a chart. */
  hovered: SharedValue<number | null>;
  /** The half of the page that was used last: keys that both know are meant for it. */
  half: SharedValue<SessionHalf>;
}

export const SessionViewContext = createContext<SessionView | null>(null);

export function useSessionView(): SessionView {
  const view = useContext(SessionViewContext);
  if (view === null) throw new Error('no session around this component');
  return view;
}
