import { createContext, useContext } from 'react';
import type { OutputOf, SessionResult, StoredEvent } from '../../../src-main/contract/index.ts';
import type { Activity } from '../../api/activities.ts';
import { useActivity } from '../../api/hooks.ts';
import type { SessionScreenProps } from '../props.ts';
import type { SharedValue } from './shared-value.ts';

export type SessionHalf = 'timeline' | 'side';

/** What all parts of the screen know of the session; the same object while a step follows a step. */
export interface SessionView {
  place: SessionScreenProps['place'];
  got: OutputOf<'sessions/get'>;
  /** `null` before the first one starts. */
  attempt: SessionResult['attempts'][number] | null;
  /** The shown attempt runs. */
  live: boolean;
  /** Step under the pointer, in the timeline or in a chart. */
  hovered: SharedValue<number | null>;
  /** The half of the page that was used last: keys that both know are meant for it. */
  half: SharedValue<SessionHalf>;
}

/** The record of the session: another object with each event, so only those who show it ask for it. */
export interface RecordView {
  events: readonly StoredEvent[];
  /** The whole record is there, not only its first page. */
  complete: boolean;
}

export const SessionViewContext = createContext<SessionView | null>(null);

export function useSessionView(): SessionView {
  const view = useContext(SessionViewContext);
  if (view === null) throw new Error('no session around this component');
  return view;
}

export const RecordViewContext = createContext<RecordView | null>(null);

export function useRecordView(): RecordView {
  const record = useContext(RecordViewContext);
  if (record === null) throw new Error('no record around this component');
  return record;
}

/** What the shown attempt does now; changes many times a second while a model writes. */
export function useShownActivity(): Activity | undefined {
  const { place, attempt } = useSessionView();
  return useActivity(place.session, attempt?.number ?? null);
}
