/**
 * Where a screen plugs in:
 *
 * - A place is a member of `Place` (navigation.ts). `Screen` below picks the screen of a place; each is
 *   a lazily loaded default export, so it costs nothing before it is opened.
 * - A screen fills the content area (a flex column of full height, container name `content`): start
 *   with `<Page title=... facts=... actions=...>` (components/page.tsx), `<SplitPane>` for a right column.
 * - Data: `useCall`, `useAction`, `useStream`, `useWatch`, `useSessionEvents`, `useActivity` (api/hooks.ts).
 *   Live events patch the caches by themselves.
 * - Go somewhere: `useServices().navigate(place)` or `<a href={formatPlace(place)}>`.
 * - Keys: add the action to shortcuts/actions.ts and its name to text/en/actions.ts, offer it with
 *   `useActionKey(id, run)`; sheet, palette and settings show it.
 * - Words: a file of your own in text/en/; text.test.ts checks that each is used and none stands in JSX.
 * - States: `<StateMark>`; figures: components/figures.tsx and format.ts; failures: `<ErrorNote>`.
 */
import { memo, useEffect, useRef, useState } from 'react';
import { useConnection } from './api/hooks.ts';
import { CommandPalette } from './components/command-palette/command-palette.tsx';
import { late } from './components/late.tsx';
import { Loading } from './components/notes.tsx';
import { type Place, sameScreen } from './navigation.ts';
import { useRunningJobs } from './screens/use-running-jobs.ts';
import { usePlace, useServices } from './services.ts';
import styles from './app.module.css';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { Header } from './shell/header.tsx';
import { NoticeRegion } from './shell/notice-region.tsx';
import { ShortcutSheet } from './shell/shortcut-sheet.tsx';
import { usePageTitle } from './shell/use-page-title.ts';
import { Sidebar } from './shell/sidebar.tsx';
import { StatusBar } from './shell/status-bar.tsx';
import { useDropAnywhere } from './shell/use-drop-anywhere.ts';
import { useEndings } from './shell/use-endings.ts';
import { useSettings } from './shell/use-settings.ts';
import { useActionKey } from './shortcuts/use-action-key.ts';
import { shellText } from './text/en/shell.ts';

const SessionsScreen = late(
  async () => (await import('./screens/sessions/sessions-screen.tsx')).default,
);
const SessionScreen = late(
  async () => (await import('./screens/session/session-screen.tsx')).default,
);
const NewFixScreen = late(
  async () => (await import('./screens/new-fix/new-fix-screen.tsx')).default,
);
const ModelsScreen = late(async () => (await import('./screens/models/models-screen.tsx')).default);
const EvaluationsScreen = late(
  async () => (await import('./screens/evaluations/evaluations-screen.tsx')).default,
);
const EnvironmentScreen = late(
  async () => (await import('./screens/environment/environment-screen.tsx')).default,
);
const SettingsScreen = late(
  async () => (await import('./screens/settings/settings-screen.tsx')).default,
);

export function App() {
  const place = usePlace();
  const [sidebar, setSidebar] = useState<'usual' | 'open' | 'closed'>('usual');
  const [overlay, setOverlay] = useState<'palette' | 'sheet' | null>(null);
  const content = useFocusOnMove(place);
  const toggle = () => setSidebar(nextSidebar);
  useSettings();
  usePageTitle(place, screenName(place));
  useRunningJobs();
  useDropAnywhere();
  useGlobalKeys({ toggle, open: setOverlay });
  return (
    <div className={styles.shell} data-sidebar={sidebar}>
      <button type="button" className={styles.skip} onClick={() => content.current?.focus()}>
        {shellText.skip}
      </button>
      <Header place={place} onToggleSidebar={toggle} onPalette={() => setOverlay('palette')} />
      <Sidebar place={place} onMoved={() => setSidebar('usual')} />
      <main ref={content} className={styles.content} tabIndex={-1} aria-label={shellText.content}>
        <ConnectionBanner />
        <CrashBoundary key={boundaryKey(place)}>
          <Screen place={place} />
        </CrashBoundary>
      </main>
      <StatusBar />
      <Endings place={place} />
      <NoticeRegion />
      <CommandPalette isOpen={overlay === 'palette'} onClose={() => setOverlay(null)} />
      <ShortcutSheet isOpen={overlay === 'sheet'} onClose={() => setOverlay(null)} />
    </div>
  );
}

/** Apart, as it follows the list of sessions: each event would draw the whole page anew. */
function Endings({ place }: { place: Place }) {
  useEndings(place);
  return null;
}

const Screen = memo(function Screen({ place }: { place: Place }) {
  const waiting = <Loading>{shellText.loadingScreen(screenName(place))}</Loading>;
  switch (place.screen) {
    case 'sessions':
      return <SessionsScreen waiting={waiting} />;
    case 'session':
      return <SessionScreen key={place.session} waiting={waiting} place={place} />;
    case 'new':
      return <NewFixScreen waiting={waiting} repository={place.repository} />;
    case 'models':
      return <ModelsScreen waiting={waiting} name={null} tab={null} />;
    case 'model':
      return <ModelsScreen waiting={waiting} name={place.name} tab={place.tab ?? null} />;
    case 'evaluations':
      return <EvaluationsScreen waiting={waiting} place={null} />;
    case 'evaluation':
      return <EvaluationsScreen key={place.run} waiting={waiting} place={place} />;
    case 'environment':
      return <EnvironmentScreen waiting={waiting} />;
    case 'settings':
      return <SettingsScreen waiting={waiting} tab={place.tab ?? null} />;
  }
});

/** The name of a place's screen, as navigation and title show it. */
export function screenName(place: Place): string {
  if (place.screen === 'session') return shellText.screens.sessions;
  if (place.screen === 'model') return shellText.screens.models;
  if (place.screen === 'evaluation') return shellText.screens.evaluations;
  return shellText.screens[place.screen];
}

/** Moves the focus to the content when the screen changes, so that the keyboard goes with the eye. */
function useFocusOnMove(place: Place) {
  const content = useRef<HTMLElement>(null);
  const before = useRef(place);
  const announce = useServices().notices.announce;
  useEffect(() => {
    if (sameScreen(before.current, place)) return;
    before.current = place;
    content.current?.focus();
    announce(screenName(place));
  }, [place, announce]);
  return content;
}

interface GlobalKeys {
  toggle: () => void;
  open: (overlay: 'palette' | 'sheet') => void;
}

function useGlobalKeys({ toggle, open }: GlobalKeys): void {
  const { navigate } = useServices();
  const connection = useConnection();
  useActionKey('palette.open', () => open('palette'));
  useActionKey('help.shortcuts', () => open('sheet'));
  useActionKey('sidebar.toggle', toggle);
  useActionKey(
    'fix.new',
    () => navigate({ screen: 'new', repository: null }),
    connection !== 'refused',
  );
  useActionKey('go.sessions', () => navigate({ screen: 'sessions' }));
  useActionKey('go.models', () => navigate({ screen: 'models' }));
  useActionKey('go.evaluations', () => navigate({ screen: 'evaluations' }));
  useActionKey('go.environment', () => navigate({ screen: 'environment' }));
  useActionKey('go.settings', () => navigate({ screen: 'settings' }));
}

/** `usual` is open on wide pages and closed on narrow ones; the first press turns what is seen. */
function nextSidebar(now: 'usual' | 'open' | 'closed'): 'usual' | 'open' | 'closed' {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const narrow = document.documentElement.clientWidth / rem < NARROW_REM;
  if (now !== 'usual') return 'usual';
  return narrow ? 'open' : 'closed';
}

/** As in app.module.css. */
const NARROW_REM = 60;

function boundaryKey(place: Place): string {
  return place.screen === 'session' ? place.session : place.screen;
}
