import type { Session } from './electron-module.ts';
import { isAllowedRequest, isAppUrl } from './is-app-url.ts';
import { permission } from './permission.ts';

export interface SessionGuard {
  devTools: boolean;
  tell: (line: string) => void;
}

type Guarded = Pick<
  Session,
  | 'on'
  | 'setDevicePermissionHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
  | 'webRequest'
>;

/** What pages may ask of the system and of the network: next to nothing, and none. */
export function guardSession(session: Guarded, { devTools, tell }: SessionGuard): void {
  session.setPermissionRequestHandler((_contents, name, grant, { requestingUrl }) => {
    const { allowed, reason } = permission(name, requestingUrl);
    if (!allowed) tell(`permission ${name} refused: ${reason}`);
    grant(allowed);
  });
  // Asked often, and for what pages only look at: not told.
  session.setPermissionCheckHandler((_contents, name, origin) => permission(name, origin).allowed);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !isAllowedRequest(url, { devTools });
    if (cancel) tell(`request refused: ${url.slice(0, 200)}`);
    answer({ cancel });
  });
  session.on('will-download', (event, item) => {
    const url = item.getURL();
    // Pages give out what they made themselves; the system's dialog asks where to.
    if (url.startsWith('blob:') && isAppUrl(url.slice('blob:'.length))) return;
    event.preventDefault();
    tell(`download refused: ${url.slice(0, 200)}`);
  });
}
