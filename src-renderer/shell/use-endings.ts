import { useEffect } from 'react';
import type { EventOf, OutputOf, StoredEvent } from '../../src-main/contract/index.ts';
import { useCall, useConnection } from '../api/hooks.ts';
import { type Place, sessionPlace } from '../navigation.ts';
import { type Services, useServices } from '../services.ts';
import { useNewest } from '../use-newest.ts';
import { shellText } from '../text/en/shell.ts';
import { visibleLine } from '../visible.ts';

/** A failure stays on the page until a person has seen it. */
const TONES = {
  verified: 'ok',
  patched: 'info',
  not_verified: 'info',
  no_patch: 'info',
  cancelled: 'info',
  failed: 'bad',
} as const;

type Ended = StoredEvent & { body: EventOf<'session.finished'> };

/** Tells when a session ends: in the page where it is seen, by the shell where it is not. */
export function useEndings(place: Place): void {
  const services = useServices();
  const enabled = useConnection() === 'open';
  const settings = useCall('settings/get', {}, { enabled });
  const list = useCall('sessions/list', { limit: 40 }, { enabled });
  const unseen = list.data?.rows.filter(({ unseen: is }) => is).length ?? 0;
  const open = useNewest(place);
  const known = useNewest(list.data);
  const wanted = settings.data?.notifications ?? false;
  useEffect(() => services.platform.setBadge?.(unseen), [services, unseen]);
  useEffect(
    () =>
      services.live.onEvents((events) => {
        for (const event of events) {
          if (!isEnding(event)) continue;
          void ofNoRun(services, event, known.current).then((is) => {
            if (is) tell(services, event, open.current, { wanted, list: known.current });
          });
        }
      }),
    [services, wanted, open, known],
  );
}

function tell(
  { notices, platform, navigate }: Services,
  event: Ended,
  place: Place,
  { wanted, list }: { wanted: boolean; list: OutputOf<'sessions/list'> | undefined },
): void {
  const { sessionId: session, body } = event;
  const title = shellText.endedTitle[body.outcome];
  const found = list?.rows.find(({ sessionId }) => sessionId === session)?.title;
  const name = visibleLine(found ?? session);
  const text = shellText.ended(title, name);
  const show = () => navigate(sessionPlace(session, { tab: 'review' }));
  const isLookedAt = document.hasFocus() && place.screen === 'session' && place.session === session;
  notices.announce(text);
  if (isLookedAt) return;
  notices.tell({
    tone: TONES[body.outcome],
    text,
    action: { label: shellText.open, run: show },
  });
  if (wanted && !document.hasFocus()) {
    void platform.notify?.({ title, body: name, tag: session, onOpen: show });
  }
}

/** Attempts of an evaluation end by the thousand: their run tells of them. */
async function ofNoRun(
  { client }: Services,
  { sessionId: session }: Ended,
  list: OutputOf<'sessions/list'> | undefined,
): Promise<boolean> {
  if (list?.rows.some(({ sessionId }) => sessionId === session) === true) return true;
  return client.call('evaluation/cell', { session }).then(
    (cell) => cell === null,
    () => true,
  );
}

function isEnding(event: StoredEvent): event is Ended {
  return event.body.type === 'session.finished';
}
